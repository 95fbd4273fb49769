/** Says when what is shown may be old: the stream that keeps it true is broken. */

import { useEffect, useState } from "react";
import { useNow } from "../kit/text/age.tsx";
import { useConnection } from "../live/context.tsx";
import classes from "./banner.module.css";

/** A stream is made anew when the log-in's token is: so short a break is not worth a word, ms. */
const PATIENCE = 2000;

export function Banner() {
  const connection = useConnection();
  const [since, setSince] = useState<number>();
  const isLost = connection.state === "lost";
  useEffect(() => setSince(isLost ? Date.now() : undefined), [isLost]);
  const now = useNow();
  if (connection.state !== "lost" || since === undefined || now - since < PATIENCE) return <div role="status" />;
  return (
    <div className={classes.banner} role="status">
      Not live since {new Date(since).toLocaleTimeString()}: the service cannot be reached. What is shown is the last
      that was known. Trying again.
    </div>
  );
}
