/**
 * Every error of the product: the table of names, from which API, tunnel, console, portal and documents derive, and the one error class.
 */

interface ErrorRow {
  /** HTTP status. */
  readonly status: number;
  /** When the error occurs, in one sentence: the `detail` where nothing more specific is known. */
  readonly cause: string;
  /** Whether the same request may succeed later without a change. */
  readonly retryable?: true;
}

const invalid = (kind: string): ErrorRow => ({
  status: 400,
  cause: `You have no ${kind} with this ID or reference.`,
});
const gone = (kind: string): ErrorRow => ({ status: 404, cause: `The ${kind} no longer exists.` });

export const ERRORS = {
  "Body Parameters Missing": { status: 400, cause: "A required body parameter, or the whole JSON body, is missing." },
  "Body Parameters Invalid": {
    status: 400,
    cause: "A body parameter has the wrong type, or this route does not take it.",
  },
  "Host Invalid": { status: 400, cause: "The request names no host, more than one, or something that is not a host." },
  "No Query String Allowed": { status: 400, cause: "The request has a query parameter that this route does not take." },
  "Query Parameter Invalid": {
    status: 400,
    cause: "A query parameter has an invalid value or occurs twice.",
  },
  "Page Size Invalid": { status: 400, cause: "`pageSize` must be a whole number from 1 to 1000." },
  "Continuation Token Invalid": {
    status: 400,
    cause: "`continuationToken` was not issued for this query.",
  },
  "Metadata Format Invalid": {
    status: 400,
    cause: "`meta` must be a JSON object within the limits of size and depth.",
  },
  "Metadata Prefix Invalid": {
    status: 400,
    cause: "`x-system-metadata-prefix` must be 1 to 16 printable ASCII characters without quotes.",
  },
  "Idempotency Key Invalid": { status: 400, cause: "`idempotency-key` must be 1 to 255 printable characters." },
  "Alias Invalid": { status: 400, cause: "The alias has a form that is not allowed." },
  "Alias Exists": { status: 400, cause: "Another object of the ecosystem has this alias." },
  "Ecosystem Invalid": invalid("ecosystem"),
  "Environment Invalid": invalid("environment"),
  "Zone Invalid": invalid("zone"),
  "Scene Invalid": invalid("scene"),
  "Device Invalid": invalid("device"),
  "User Invalid": invalid("user"),
  "Server Invalid": invalid("server"),
  "Client Invalid": invalid("client"),
  "Webhook Invalid": invalid("webhook"),
  "Command Invalid": invalid("command"),
  "Delivery Invalid": invalid("delivery"),
  "Access Entry Invalid": invalid("access entry"),
  "Environment Missing": { status: 400, cause: "`environmentId` is missing." },
  "Ecosystem Missing": { status: 400, cause: "The account has several ecosystems: name one in `ecosystemId`." },
  "Zone Item Invalid": { status: 400, cause: "An item is not a zone or device of the same environment." },
  "Scene Item Invalid": {
    status: 400,
    cause: "An item is not for a device or zone of the same environment, or the items are too many or too large.",
  },
  "Scene Trigger Invalid": { status: 400, cause: "The scene cannot have this trigger." },
  "User Key Missing": { status: 400, cause: "`key`, your own unique key for the user, is missing." },
  "User Key Exists": { status: 400, cause: "Another user of the ecosystem has this key." },
  "Service Property Invalid": { status: 400, cause: "The property does not exist in the given service." },
  "Property Value Invalid": { status: 400, cause: "The property cannot have this value." },
  "Property Not Writable": { status: 400, cause: "The property can be read but not set." },
  "Webhook Callback Invalid": { status: 400, cause: "The service does not send to this URL." },
  "Webhook Callback Missing": { status: 400, cause: "`url` is missing." },
  "Webhook Events Invalid": { status: 400, cause: "`events` must be a list of event types or `prefix.*` patterns." },
  "Email Invalid": { status: 400, cause: "This is not an e-mail address." },
  "Email Exists": { status: 400, cause: "An account with this e-mail address already exists." },
  "Reset Code Invalid": { status: 400, cause: "The code is wrong, already used or expired." },
  "Password Too Weak": { status: 400, cause: "The password has fewer than 10 characters or is easily guessed." },
  "Pairing Pending": { status: 400, cause: "The hub has not been approved yet.", retryable: true },
  "Pairing Slow Down": { status: 400, cause: "The hub polls more often than its interval allows.", retryable: true },
  "Pairing Denied": { status: 400, cause: "The owner denied the pairing." },
  "Pairing Expired": { status: 400, cause: "The pairing code has expired: start again." },
  "Pairing Code Invalid": { status: 400, cause: "No pairing in progress has this code." },
  "Login Pending": { status: 400, cause: "The log-in has not been approved yet.", retryable: true },
  "Login Slow Down": { status: 400, cause: "The program polls more often than its interval allows.", retryable: true },
  "Login Denied": { status: 400, cause: "The log-in was denied, or the session that approved it has ended." },
  "Login Expired": { status: 400, cause: "The log-in code has expired: start again." },
  "Login Code Invalid": { status: 400, cause: "No log-in in progress has this code." },
  "Account User Required": { status: 400, cause: "The account's own user can only be deleted with the account." },
  "Last Ecosystem Required": {
    status: 400,
    cause: "An account's last ecosystem can only be deleted with the account.",
  },
  "Setup Kind Invalid": { status: 400, cause: "No driver of the hub offers a setup of this kind at the moment." },
  "Setup Answer Invalid": {
    status: 400,
    cause: "The setup is not asking this question, or the answer is not one of its choices.",
  },
  "Token Missing": { status: 401, cause: "The request has no credential in `authorization`." },
  "Token Invalid": { status: 401, cause: "The credential is not a valid token." },
  "Token Expired": { status: 401, cause: "The token has expired: log in again or create a new one." },
  "Login Failed": { status: 401, cause: "The e-mail address or the password is wrong." },
  "Token Type Not Allowed": { status: 403, cause: "This kind of token is not accepted here." },
  "Access Denied": { status: 403, cause: "The user has no access entry for this environment." },
  "Password Incorrect": { status: 403, cause: "`currentPassword` is wrong." },
  "Address Not Verified": { status: 403, cause: "The e-mail address of the account is not verified." },
  "Quota Exceeded": { status: 403, cause: "The quota is used up." },
  "Endpoint Not Found": { status: 404, cause: "There is no such route." },
  "API Version Not Found": { status: 404, cause: "There is no such version of the API." },
  "Ecosystem Not Found": gone("ecosystem"),
  "Environment Not Found": gone("environment"),
  "Zone Not Found": gone("zone"),
  "Scene Not Found": gone("scene"),
  "Device Not Found": gone("device"),
  "User Not Found": gone("user"),
  "Server Not Found": gone("server"),
  "Client Not Found": gone("client"),
  "Webhook Not Found": gone("webhook"),
  "Token Not Found": gone("token"),
  "Command Not Found": gone("command"),
  "Delivery Not Found": gone("delivery"),
  "Access Entry Not Found": gone("access entry"),
  "Zone Item Not Found": gone("zone item"),
  "Scene Item Not Found": gone("device or zone of a scene item"),
  "Sink Not Found": { status: 404, cause: "The ecosystem has no sink." },
  "Setup Not Found": { status: 404, cause: "The hub does not know this setup, or no longer knows it." },
  "Export Not Found": {
    status: 404,
    cause: "There is no archive to download: no export was started, it is not ready, or it was deleted.",
  },
  "Service Not Found": { status: 404, cause: "There is no service with this name and index." },
  "Method Not Allowed": { status: 405, cause: "The route exists, but not with this method." },
  "Idempotency Key In Use": {
    status: 409,
    cause: "The first request with this key is still running.",
    retryable: true,
  },
  "Setup In Use": { status: 409, cause: "Another setup of the same driver is running.", retryable: true },
  "Precondition Failed": { status: 412, cause: "The object has changed since the `etag` in `if-match` was read." },
  "Body Too Large": { status: 413, cause: "The body is larger than 256 KiB." },
  "Idempotency Key Reused": { status: 422, cause: "The key was already used with a different body." },
  "Device Rejected": { status: 422, cause: "The device rejected the request." },
  "Hub Rejected": { status: 422, cause: "The hub cannot do this now." },
  "Rate Limit Exceeded": {
    status: 429,
    cause: "Too many requests: wait for the seconds in `retry-after`.",
    retryable: true,
  },
  "Internal Error": {
    status: 500,
    cause: "Something went wrong in the service. The request ID identifies the log entry.",
  },
  "Hub Outdated": { status: 501, cause: "The agent on the hub is too old for this: update it." },
  "Device Unreachable": { status: 502, cause: "The hub answered, but the device did not.", retryable: true },
  "Hub Offline": { status: 503, cause: "The hub is not connected.", retryable: true },
  "Service Unavailable": { status: 503, cause: "The service cannot do this at the moment.", retryable: true },
  "Hub Timeout": { status: 504, cause: "The hub did not answer in time.", retryable: true },
} as const satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof ERRORS;

/** The outcome of a command: a caller needs it to decide whether a retry is safe. */
export type Outcome = "confirmed" | "rejected" | "not_sent" | "not_applied" | "unknown";

/** One invalid place in a request body. */
export interface FieldProblem {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
}

export interface ErrorExtras {
  readonly outcome?: Outcome | undefined;
  readonly errors?: readonly FieldProblem[] | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number | undefined;
  /** Further members of the answer, such as a hub's `lastSeenAt`. */
  readonly members?: Readonly<Record<string, unknown>> | undefined;
  /** Further headers of the answer, such as `x-command-id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** Status of "Token Invalid" for a `:tokenId` that is no token ID (400); for a credential the same name has 401. */
export const TOKEN_REFERENCE_STATUS = 400;

export class NamedError extends Error {
  override readonly name: ErrorName;
  readonly status: number;
  readonly retryable: boolean;
  readonly outcome: Outcome | undefined;
  readonly errors: readonly FieldProblem[] | undefined;
  readonly retryAfter: number | undefined;
  readonly members: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  /** @param detail one helpful sentence: what is wrong and what to do; the table's cause when omitted */
  constructor(name: ErrorName, detail?: string, extras: ErrorExtras = {}) {
    const row: ErrorRow = ERRORS[name];
    super(detail ?? row.cause, { cause: extras.cause });
    this.name = name;
    this.status = extras.status ?? row.status;
    this.retryable = row.retryable ?? false;
    this.outcome = extras.outcome;
    this.errors = extras.errors;
    this.retryAfter = extras.retryAfter;
    this.members = extras.members;
    this.headers = extras.headers;
  }
}

/** Whether `error` is a {@link NamedError}, and (when given) has that name. */
export function isNamed(error: unknown, name?: ErrorName): error is NamedError {
  return error instanceof NamedError && (name === undefined || error.name === name);
}
