import type { Person } from '../fill/people.ts';
import type { LoadRequest } from '../load/plan.ts';
import type { ServiceRequest, Workload } from '../workloads.ts';

/** The requests that a client repeats: both variants of a workload, one after the other. */
export function bothVariants(requests: (variant: number) => readonly LoadRequest[]): LoadRequest[] {
  return [...requests(0), ...requests(1)];
}

/** The requests of a person to a gateway. */
export function gatewayRequests(workload: Workload, person: Person, token: string): LoadRequest[] {
  return bothVariants((variant) =>
    workload.requests(person, variant).map((request) => withHeader(request, 'authorization', `Bearer ${token}`)),
  );
}

/** The request as it is sent, with one more header. */
export function withHeader(request: ServiceRequest, name: string, value: string): LoadRequest {
  const { service: _service, ...sent } = request;
  return { ...sent, headers: { ...sent.headers, [name]: value } };
}
