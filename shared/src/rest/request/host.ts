/** Which host a request is for: exactly one, in a form that a host has (RFC 9112, section 3.2). Two parties that each believe another are fooled. */
import { NamedError } from "../../kernel/index.ts";
import { timesGiven } from "./credential.ts";

/** What of a request tells its host. */
export interface HostAsked {
  readonly headers: { readonly host?: string | undefined };
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
}

/** A name, an IPv4 address, or an IPv6 address in brackets; with or without a port. */
const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** What is wrong with it, as "Host Invalid"; undefined when nothing is. HTTP/1.0 may leave it out. */
export function hostProblem({ headers: { host }, rawHeaders, httpVersion }: HostAsked): NamedError | undefined {
  if (host === undefined)
    return httpVersion === "1.0" ? undefined : refusal("The request does not say in `host` whom it is for.");
  if (timesGiven(rawHeaders, "host") > 1) return refusal("The request has more than one `host`.");
  return HOST.test(host) ? undefined : refusal("The `host` of the request is none.");
}

function refusal(detail: string): NamedError {
  return new NamedError("Host Invalid", detail);
}
