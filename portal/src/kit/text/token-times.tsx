/** The times of a token or log-in: its last use, which the service records up to ten seconds late, and the time left until it expires. */
import { Age, ageOf, timeOf, useNow } from "./age.tsx";
import { Hint } from "./hint.tsx";

export function LastUsed({ at }: { readonly at: string | undefined }) {
  return at === undefined ? <span>never</span> : <Age at={at} />;
}

/** Added to the time left, in ms, so that a token created for twelve hours shows twelve hours and not eleven. */
const ON_THE_WAY = 20_000;

/** @param at a time in the service's format; undefined when there is no end */
export function Until({ at }: { readonly at: string | undefined }) {
  const now = useNow();
  if (at === undefined) return <span>never</span>;
  const left = timeOf(at) - now;
  return (
    <Hint label={`${new Date(timeOf(at)).toLocaleString()} (${at})`}>
      <time dateTime={at.replace(" ", "T")}>
        {left <= 0 ? "expired" : `in ${ageOf(Math.max(left, 5000) + ON_THE_WAY)}`}
      </time>
    </Hint>
  );
}
