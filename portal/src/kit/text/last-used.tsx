/** The last use of a token; the service records it up to ten seconds late. */
import { Age } from "./age.tsx";

export function LastUsed({ at }: { readonly at: string | undefined }) {
  return at === undefined ? <span>never</span> : <Age at={at} />;
}
