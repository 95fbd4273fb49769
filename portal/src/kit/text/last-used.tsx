/** When a token was last used: seen by the service up to ten seconds late. */
import { Age } from "./age.tsx";

export function LastUsed({ at }: { readonly at: string | undefined }) {
  return at === undefined ? <span>never</span> : <Age at={at} />;
}
