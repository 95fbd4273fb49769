/** The main control of a device for small places: list rows and room tiles. */
import { Button, Switch } from "@mantine/core";
import type { Device, PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";
import { Failure } from "../kit/display/failure.tsx";
import { OutcomeWord } from "../kit/display/outcome.tsx";
import { nameOf } from "../kit/text/names.ts";
import { useWanted } from "../kit/text/use-wanted.ts";
import { booleanWords, outcomeWords, valueWords } from "../kit/text/value-words.ts";
import { useWrites } from "../live/context.tsx";
import type { Target } from "../live/target.ts";
import { type Shown, shownOf, type WriteState } from "../live/write-state.ts";
import type { How } from "../live/writes.ts";
import { RangeInput } from "./fields.tsx";
import classes from "./main-control.module.css";
import { type Controlled, type MainControls, mainControlsOf } from "./main-control.ts";
import { useTitles } from "./use-titles.ts";

const loadConfirmDialog = () => import("../kit/forms/confirm-dialog.tsx");

interface MainControlProps {
  readonly device: Device;
  readonly services: readonly ServiceDescriptor[];
}

export function MainControl({ device, services }: MainControlProps) {
  const { toggles, level } = mainControlsOf(device.id, services);
  return (
    <div className={classes.controls}>
      {toggles.map((toggle) => (
        <Toggle
          key={`${toggle.target.service}:${toggle.target.index}`}
          {...{ device, toggle, isOnly: toggles.length === 1 }}
        />
      ))}
      {level && <Level device={device} level={level} />}
    </div>
  );
}

/** An unreachable device can be set only on its own page, where the change can wait for it. */
export function isReachable({ type, connection }: Pick<Device, "type" | "connection">): boolean {
  return type === "virtual" || connection?.state === "online";
}

interface ToggleProps {
  readonly device: Device;
  readonly toggle: Controlled;
  readonly isOnly: boolean;
}

function Toggle({ device, toggle: { target, descriptor }, isOnly }: ToggleProps) {
  const written = useWritten(device, target, descriptor);
  const title = useTitles().ofProperty(target.service, target.property);
  const label = `${nameOf(device)}: ${title}${isOnly ? "" : ` ${target.index}`}`;
  const props = { device, written, label, property: target.property };
  return (
    <div className={classes.one}>
      {target.service === "Lock" ? <LockButton {...props} /> : <OnOff {...props} />}
      <Ended device={device} written={written} />
    </div>
  );
}

interface OneProps {
  readonly device: Device;
  readonly written: Written;
  readonly label: string;
  readonly property: string;
}

function OnOff({ device, written: { value, isPending, ask }, label, property }: OneProps) {
  return (
    <Switch
      className={classes.switch}
      size="md"
      data-pending={isPending || undefined}
      aria-label={label}
      title={typeof value === "boolean" ? valueWords(value, property) : "unknown"}
      checked={value === true}
      disabled={!isReachable(device)}
      onChange={(event) => ask(event.currentTarget.checked)}
    />
  );
}

/** Unlocking needs a confirmation, because an accidental press would leave a door open. */
function LockButton({ device, written: { value, isPending, ask }, label, property }: OneProps) {
  const [isAsking, setAsking] = useState(false);
  const { Part: ConfirmDialog, error } = useWanted(loadConfirmDialog, isAsking);
  const isLocked = value === true;
  const [locked, unlocked] = booleanWords(property);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        data-pending={isPending || undefined}
        className={classes.switch}
        disabled={!isReachable(device)}
        aria-label={`${label}, ${isLocked ? locked : unlocked}: ${isLocked ? "unlock" : "lock"}`}
        onClick={() => (isLocked ? setAsking(true) : ask(true))}
      >
        {isLocked ? "Unlock" : "Lock"}
      </Button>
      {isAsking && ConfirmDialog && (
        <ConfirmDialog
          label="Unlock"
          title={`Unlock ${nameOf(device)}?`}
          isDestructive={false}
          act={async () => ask(false)}
          onClose={() => setAsking(false)}
        />
      )}
      {error && <Failure error={error} putAway={() => setAsking(false)} />}
    </>
  );
}

interface LevelProps {
  readonly device: Device;
  readonly level: NonNullable<MainControls["level"]>;
}

function Level({ device, level: { target, descriptor, range } }: LevelProps) {
  const written = useWritten(device, target, descriptor);
  const title = useTitles().ofProperty(target.service, target.property);
  const { value, known, isPending, ask } = written;
  return (
    <div className={classes.level}>
      <div className={classes.sliding}>
        <RangeInput
          label={`${nameOf(device)}: ${title}`}
          {...{ value, known: known.value, isPending, range, track: "plain" }}
          isDisabled={!isReachable(device)}
          words={(each) => valueWords(each, target.property, descriptor.unit)}
          onAsk={ask}
        />
        <span className={classes.amount}>{valueWords(value, target.property, descriptor.unit)}</span>
      </div>
      <Ended device={device} written={written} />
    </div>
  );
}

/** The outcome of an unconfirmed write. The device's page has the details and the next step. */
function Ended({ device, written: { state } }: { readonly device: Device; readonly written: Written }) {
  if (state.kind !== "refused") return null;
  const { refusal } = state;
  return (
    <span className={classes.ended} role="alert" title={`${refusal.detail} ${outcomeWords(refusal)}`}>
      {refusal.outcome !== "confirmed" && <OutcomeWord outcome={refusal.outcome} />}
      <Link
        to="/environments/$environmentId/devices/$deviceId"
        params={{ environmentId: device.environmentId, deviceId: device.id }}
      >
        {refusal.name}
      </Link>
    </span>
  );
}

/** The displayed and settable state of a property: its reported value and any requested value. */
export interface Written extends Shown {
  readonly target: Target;
  readonly state: WriteState;
  readonly ask: (value: unknown, how?: How) => void;
}

/** @param ttlSeconds how long a change waits for an offline hub; undefined: the change takes effect at once or fails */
export function useWritten(
  device: Pick<Device, "type">,
  target: Target,
  descriptor: PropertyDescriptor,
  ttlSeconds?: number | undefined,
): Written {
  const writes = useWrites();
  const state = useSyncExternalStore(writes.subscribe, () => writes.stateOf(target));
  const isReport = device.type === "virtual" && !descriptor.access.includes("write");
  return {
    ...shownOf(state, descriptor),
    target,
    state,
    ask: (value, how = { ttlSeconds }) => writes.ask(target, value, { ...how, ...(isReport && { report: true }) }),
  };
}
