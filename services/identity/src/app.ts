import type { App } from '@storefront/service-kit';
import type { AppParts } from './routes/app-parts.ts';
import { internalRoutes } from './routes/internal.ts';
import { keyRoutes } from './routes/keys.ts';
import { loginRoutes } from './routes/login.ts';
import { passwordRoutes } from './routes/passwords.ts';
import { registrationRoutes } from './routes/registration.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { tradeAccountRoutes } from './routes/trade-accounts.ts';
import { userDataRoutes } from './routes/user-data.ts';
import { userRoutes } from './routes/users.ts';

/** All routes of the service. */
export function buildApp(parts: AppParts): (app: App) => void {
  return (app) => {
    registrationRoutes(app, parts);
    loginRoutes(app, parts);
    sessionRoutes(app, parts);
    passwordRoutes(app, parts);
    userRoutes(app, parts);
    userDataRoutes(app, parts);
    tradeAccountRoutes(app, parts);
    keyRoutes(app, parts);
    internalRoutes(app, parts);
  };
}
