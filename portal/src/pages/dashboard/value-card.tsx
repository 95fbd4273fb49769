/** One value, large, as the device said it last: with its age where it is not of now, and whether the device can be reached. */
import type { Device } from "@porchlight/shared/api";
import { isReachable } from "../../devices/main-control-view.tsx";
import { useIsCurrent } from "../../kit/display/current.ts";
import { OnlineState } from "../../kit/display/state.tsx";
import { Age, clockOf } from "../../kit/text/age.tsx";
import { cut } from "../../kit/text/names.ts";
import { valueWords } from "../../kit/text/value-words.ts";
import type { Target } from "../../live/target.ts";
import classes from "./dashboard.module.css";
import { descriptorOf, type Things } from "./use-subjects.ts";

export interface ValueCardProps {
  readonly things: Things;
  readonly device: Device;
  readonly target: Target;
}

export function ValueCard({ things, device, target }: ValueCardProps) {
  const isCurrent = useIsCurrent();
  const descriptor = descriptorOf(things, target);
  if (!descriptor)
    return <p className={classes.quiet}>{things.isPending ? "…" : "The device no longer has this property."}</p>;
  const { value, unit, observedAt, source } = descriptor;
  return (
    <>
      <p className={classes.value}>
        <bdi>{cut(valueWords(value, target.property, unit), 60)}</bdi>
      </p>
      <p className={classes.quiet}>
        {value === undefined ? null : source === "retained" ? (
          "of unknown age"
        ) : observedAt === undefined ? null : isCurrent ? (
          <Age at={observedAt} prefix="observed " />
        ) : (
          `as of ${clockOf(observedAt)}`
        )}
        {!isReachable(device) && <OnlineState connection={device.connection} />}
      </p>
    </>
  );
}
