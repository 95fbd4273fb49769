/** Says that what is shown is only what was last known, and since when: nothing is heard of the service. */

import { ageOf, useNow } from "../kit/text/age.tsx";
import { useLiveness } from "../live/context.tsx";
import classes from "./banner.module.css";

export function Banner() {
  const liveness = useLiveness();
  if (liveness.kind !== "lost") return <div role="status" />;
  const { since } = liveness;
  return (
    <div className={classes.banner} role="status">
      <strong>Connection lost, last known values.</strong> Last response from the service at{" "}
      <time dateTime={new Date(since).toISOString()}>{new Date(since).toLocaleTimeString()}</time>
      <Ago since={since} />. Reconnecting automatically.
    </div>
  );
}

/** For the eye alone: a status that is read out each second helps nobody. */
function Ago({ since }: { readonly since: number }) {
  return <span aria-hidden="true"> ({ageOf(useNow() - since)} ago)</span>;
}
