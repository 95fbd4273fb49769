/** Every error's name, status and cause, once: API, tunnel, console, portal and documents are made from this table. */

interface ErrorRow {
  /** HTTP status. */
  readonly status: number;
  /** When it happens, in one sentence: the `detail` where nothing more exact is known. */
  readonly cause: string;
  /** Whether the same request may succeed later without a change. */
  readonly retryable?: true;
}

const invalid = (kind: string): ErrorRow => ({
  status: 400,
  cause: `This is not the ID or reference of any ${kind} of yours.`,
});
const gone = (kind: string): ErrorRow => ({ status: 404, cause: `The ${kind} existed and is gone.` });

export const ERRORS = {
  "Body Parameters Missing": { status: 400, cause: "A required body parameter, or the whole JSON body, is missing." },
  "Body Parameters Invalid": { status: 400, cause: "A body parameter has the wrong type or is not known here." },
  "Host Invalid": { status: 400, cause: "The request names no host, more than one, or what cannot be a host." },
  "No Query String Allowed": { status: 400, cause: "The request has a query parameter that this route does not take." },
  "Query Parameter Invalid": {
    status: 400,
    cause: "A query parameter has a value that cannot be used, or stands twice.",
  },
  "Page Size Invalid": { status: 400, cause: "`pageSize` is a whole number from 1 to 1000." },
  "Continuation Token Invalid": {
    status: 400,
    cause: "`continuationToken` is not one that this very query was given.",
  },
  "Metadata Format Invalid": { status: 400, cause: "`meta` is a JSON object within the limits of size and depth." },
  "Metadata Prefix Invalid": {
    status: 400,
    cause: "`x-system-metadata-prefix` is 1 to 16 printable ASCII characters without quotes.",
  },
  "Idempotency Key Invalid": { status: 400, cause: "`idempotency-key` is 1 to 255 printable characters." },
  "Alias Invalid": { status: 400, cause: "The alias is not one that an object can have." },
  "Alias Exists": { status: 400, cause: "Another object of the ecosystem has this alias." },
  "Ecosystem Invalid": invalid("ecosystem"),
  "Environment Invalid": invalid("environment"),
  "Zone Invalid": invalid("zone"),
  "Device Invalid": invalid("device"),
  "User Invalid": invalid("user"),
  "Server Invalid": invalid("server"),
  "Client Invalid": invalid("client"),
  "Webhook Invalid": invalid("webhook"),
  "Command Invalid": invalid("command"),
  "Delivery Invalid": invalid("delivery"),
  "Access Entry Invalid": invalid("access entry"),
  "Environment Missing": { status: 400, cause: "`environmentId` is missing." },
  "Ecosystem Missing": { status: 400, cause: "The account has several ecosystems: say which in `ecosystemId`." },
  "Zone Item Invalid": { status: 400, cause: "An item is not a zone or device of the same environment." },
  "User Key Missing": { status: 400, cause: "`key`, your own unique key for the user, is missing." },
  "User Key Exists": { status: 400, cause: "Another user of the ecosystem has this key." },
  "Service Property Invalid": { status: 400, cause: "The property does not exist in the given service." },
  "Property Value Invalid": { status: 400, cause: "The property cannot have this value." },
  "Property Not Writable": { status: 400, cause: "The property can be read but not set." },
  "Webhook Callback Invalid": { status: 400, cause: "The callback URL is not one that may be called." },
  "Webhook Callback Missing": { status: 400, cause: "`url` is missing." },
  "Webhook Events Invalid": { status: 400, cause: "`events` is a list of event types or `prefix.*` patterns." },
  "Email Invalid": { status: 400, cause: "This is not an e-mail address." },
  "Email Exists": { status: 400, cause: "There is an account with this e-mail address." },
  "Reset Code Invalid": { status: 400, cause: "The code is wrong, used or too old." },
  "Password Too Weak": { status: 400, cause: "The password has fewer than 10 characters or is easily guessed." },
  "Pairing Pending": { status: 400, cause: "The hub is not approved yet.", retryable: true },
  "Pairing Slow Down": { status: 400, cause: "The hub polls faster than its interval.", retryable: true },
  "Pairing Denied": { status: 400, cause: "The owner has refused the hub." },
  "Pairing Expired": { status: 400, cause: "The pairing code is too old: start again." },
  "Pairing Code Invalid": { status: 400, cause: "This is not the code of a pairing under way." },
  "Login Pending": { status: 400, cause: "The log-in is not approved yet.", retryable: true },
  "Login Slow Down": { status: 400, cause: "The program polls faster than its interval.", retryable: true },
  "Login Denied": { status: 400, cause: "The log-in was denied, or the log-in that approved it has ended." },
  "Login Expired": { status: 400, cause: "The code of the log-in is too old: start again." },
  "Login Code Invalid": { status: 400, cause: "This is not the code of a log-in under way." },
  "Account User Required": { status: 400, cause: "The account's own user stays as long as the account." },
  "Last Ecosystem Required": { status: 400, cause: "An account's last ecosystem goes only with the account." },
  "Setup Kind Invalid": { status: 400, cause: "No driver of the hub offers a setup of this kind now." },
  "Setup Answer Invalid": {
    status: 400,
    cause: "The setup does not ask this question now, or this is none of its choices.",
  },
  "Token Missing": { status: 401, cause: "The request has no credential in `authorization`." },
  "Token Invalid": { status: 401, cause: "The credential is not a living token." },
  "Token Expired": { status: 401, cause: "The token has expired: log in again or make a new one." },
  "Login Failed": { status: 401, cause: "The e-mail address or the password is wrong." },
  "Token Type Not Allowed": { status: 403, cause: "This kind of token is not accepted here." },
  "Access Denied": { status: 403, cause: "The user has no access entry for this environment." },
  "Password Incorrect": { status: 403, cause: "`currentPassword` is wrong." },
  "Quota Exceeded": { status: 403, cause: "There are as many as there may be." },
  "Endpoint Not Found": { status: 404, cause: "There is no such route." },
  "API Version Not Found": { status: 404, cause: "There is no such version of the API." },
  "Ecosystem Not Found": gone("ecosystem"),
  "Environment Not Found": gone("environment"),
  "Zone Not Found": gone("zone"),
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
  "Setup Not Found": { status: 404, cause: "The hub does not know this setup, or not any more." },
  "Service Not Found": { status: 404, cause: "No service with this name and index is there." },
  "Method Not Allowed": { status: 405, cause: "The route exists, but not with this method." },
  "Idempotency Key In Use": {
    status: 409,
    cause: "The first request with this key is still running.",
    retryable: true,
  },
  "Setup In Use": { status: 409, cause: "Another setup of the same driver is running.", retryable: true },
  "Precondition Failed": { status: 412, cause: "The object has changed since the `etag` in `if-match` was read." },
  "Body Too Large": { status: 413, cause: "The body is larger than 256 KiB." },
  "Idempotency Key Reused": { status: 422, cause: "The key came before with another body." },
  "Device Rejected": { status: 422, cause: "The device has refused." },
  "Hub Rejected": { status: 422, cause: "The hub cannot do this now." },
  "Rate Limit Exceeded": { status: 429, cause: "Too many requests: wait as `retry-after` says.", retryable: true },
  "Internal Error": { status: 500, cause: "Something went wrong here. The request id finds the log line." },
  "Hub Outdated": { status: 501, cause: "The agent on the hub is too old for this: update it." },
  "Device Unreachable": { status: 502, cause: "The hub answers, the device does not.", retryable: true },
  "Hub Offline": { status: 503, cause: "The hub is not connected.", retryable: true },
  "Service Unavailable": { status: 503, cause: "The service cannot do this at the moment.", retryable: true },
  "Hub Timeout": { status: 504, cause: "The hub did not answer in time: the outcome is unknown.", retryable: true },
} as const satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof ERRORS;

/** The row of a name. */
export function errorRow(name: ErrorName): ErrorRow {
  return ERRORS[name];
}
