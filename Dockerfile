# One image for each service: docker build --build-arg PACKAGE=identity .
# PACKAGE is `gateway` or the name of a folder in services/.
FROM node:24-bookworm-slim AS build
WORKDIR /app
RUN npm install --global pnpm@12.21.0
COPY . .
RUN pnpm install --frozen-lockfile && pnpm exec tsc -b gateway services/*
ARG PACKAGE
RUN pnpm --filter "@storefront/${PACKAGE}" deploy --legacy --prod /out

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=build --chown=node:node /out .
USER node
EXPOSE 8080
# Liveness only: whether to send it requests is for whoever balances the load, who asks /readyz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]
