/** What the framework raises, under the names of the contract. */
import { isNamed, NamedError } from "@porchlight/shared/kernel";

/** What the framework raises before or around a route, under the contract's names. */
const FRAMEWORK: Readonly<Record<string, () => NamedError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new NamedError("Body Too Large"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new NamedError("Body Parameters Missing", "The body is shorter or longer than its `content-length` says."),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new NamedError("Body Parameters Missing", "The `content-type` must be application/json."),
  FST_ERR_BAD_URL: () => new NamedError("Endpoint Not Found", "The path is not a well-formed URL."),
};

/** Any error as a named one; undefined for an unforeseen one. */
export function named(error: unknown): NamedError | undefined {
  if (isNamed(error)) return error;
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return FRAMEWORK[code]?.();
}
