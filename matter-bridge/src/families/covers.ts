/** `Cover` as WindowCovering: Matter counts the closed share, the hub the open share. */
import type { DescribedProperty } from "@porchlight/shared/model";
import {
  type Asked,
  type Attributes,
  DEVICE_TYPES,
  type Part,
  type ShownCluster,
  type Unclaimed,
  type Values,
  type Write,
} from "../parts/part.ts";
import { bounded, fitted, numberOf } from "../parts/units.ts";

const CLOSED = 10_000;
const STATUS = { stopped: 0, opening: 1, closing: 2 };

interface Cover {
  /** The writable property: the target, or the position. */
  readonly set: DescribedProperty;
  readonly target?: DescribedProperty | undefined;
  readonly position?: DescribedProperty | undefined;
  readonly movement?: DescribedProperty | undefined;
}

export function covers(unclaimed: Unclaimed): Part[] {
  return unclaimed.indexes("Cover").flatMap((index) => {
    const target = unclaimed.look("Cover", index, "target");
    const position = unclaimed.look("Cover", index, "position");
    const movement = unclaimed.look("Cover", index, "movement");
    const set = [target, position].find((property) => property?.writable);
    if (!set) return [];
    unclaimed.claim(target, position, movement);
    const known = position?.readable ? position : undefined;
    return [
      {
        key: `cover:${index}`,
        type: DEVICE_TYPES.windowCovering,
        hasGroups: true,
        clusters: [coverCluster({ set, target, position: known, movement })],
      },
    ];
  });
}

function coverCluster(cover: Cover): ShownCluster {
  const { set, position } = cover;
  return {
    cluster: "windowCovering",
    features: position ? ["Lift", "PositionAwareLift"] : ["Lift"],
    attributes: (values) => coverAttributes(cover, values),
    commands: {
      upOrOpen: () => [write(set, 0)],
      downOrClose: () => [write(set, CLOSED)],
      stopMotion: (_, values) => stop(cover, values),
      ...(position && {
        goToLiftPercentage: ({ liftPercent100thsValue: to }) => [write(set, typeof to === "number" ? to : 0)],
      }),
    },
    writes: { mode: () => ({ refused: "constraint" }) },
  };
}

function coverAttributes({ target, position, movement }: Cover, values: Values): Attributes {
  const lift = statusOf(movement, values);
  const common = {
    type: 0,
    endProductType: 0,
    operationalStatus: { global: lift, lift, tilt: STATUS.stopped },
    configStatus: { operational: true, onlineReserved: true, liftPositionAware: position !== undefined },
  };
  if (!position) return common;
  const now = closedOf(numberOf(values, position));
  return {
    ...common,
    currentPositionLiftPercent100ths: now,
    currentPositionLiftPercentage: now === null ? null : Math.floor(now / 100),
    targetPositionLiftPercent100ths: targetOf(closedOf(numberOf(values, target)), now, lift),
  };
}

/** Target of a cover: the reported one, else the end that it moves to, else its position. */
function targetOf(stated: number | null, now: number | null, lift: number): number | null {
  if (lift === STATUS.stopped) return now;
  return stated ?? (lift === STATUS.opening ? 0 : CLOSED);
}

/** The hub has no stop command; setting a cover's target to its current position stops it. */
function stop({ set, position, movement }: Cover, values: Values): Asked {
  if (movement && statusOf(movement, values) === STATUS.stopped) return [];
  const now = closedOf(numberOf(values, position));
  return now === null ? { refused: "unsupported" } : [write(set, now)];
}

function statusOf(movement: DescribedProperty | undefined, values: Values): number {
  const word = movement && values.value(movement.key);
  return word === "opening" || word === "closing" ? STATUS[word] : STATUS.stopped;
}

function closedOf(open: number | undefined): number | null {
  return open === undefined ? null : bounded(Math.round((100 - open) * 100), 0, CLOSED);
}

function write(set: DescribedProperty, closed: number): Write {
  return { key: set.key, value: fitted(100 - bounded(closed, 0, CLOSED) / 100, set) };
}
