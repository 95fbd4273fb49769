/** How long until something ends, ticking; the exact time, local and UTC, in a tooltip. */
import { Hint } from "../lazy/hint.tsx";
import { ageOf, timeOf, useNow } from "./age.tsx";

/** What was made for twelve hours is good for twelve, not for eleven and a bit, ms. */
const ON_THE_WAY = 20_000;

/** @param at the service's time; without one it does not end */
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
