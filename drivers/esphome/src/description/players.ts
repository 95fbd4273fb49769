/** Media players, as far as a home needs them, and alarm panels. */
import type { Value } from "@porchlight/shared/model";
import type { EntityState } from "../wire/messages.ts";
import {
  customParts,
  type EntityComponent,
  flagTrait,
  near,
  readsFlagField,
  readsPercentField,
  readsWord,
} from "./esphome-property.ts";

const PLAYS: ReadonlyMap<number, Value> = new Map<number, Value>([
  ...["idle", "playing", "paused", "announcing", "off", "on"].map((word, at) => [at + 1, word] as const),
]);
/** Commands by name; one of these states confirms the command. */
const COMMANDS: ReadonlyMap<string, { readonly command: number; readonly states: readonly number[] }> = new Map([
  ["play", { command: 0, states: [2] }],
  ["pause", { command: 1, states: [3] }],
  ["stop", { command: 2, states: [1, 5] }],
]);
const MUTE = 3;
const UNMUTE = 4;

/** The hub does not choose what the player plays. */
export const mediaPlayer: EntityComponent = (entity) => {
  const values = [...COMMANDS.keys()].filter((word) => word !== "pause" || flagTrait(entity, "supportsPause"));
  const playback = (value: Value) => {
    const { command, states } = COMMANDS.get(String(value)) ?? { command: 2, states: [1] };
    return { options: { command }, isSo: ({ state }: EntityState) => states.includes(Number(state)) };
  };
  const volume = (value: Value) => ({
    options: { volume: Number(value) / 100 },
    isSo: (state: EntityState) => near(state.volume, Number(value) / 100, 0.006),
  });
  const mute = (value: Value) => ({
    options: { command: value === true ? MUTE : UNMUTE },
    isSo: ({ muted }: EntityState) => muted === value,
  });
  const of = "MediaPlayer";
  const percent = { min: 0, max: 100, unit: "%" };
  return {
    parts: [
      ...customParts(
        "state",
        "string",
        { read: readsWord("state", PLAYS) },
        { values: [...PLAYS.values()] as string[] },
        of,
      ),
      ...customParts("playback", "string", { command: playback }, { values }, of),
      ...customParts("volume", "number", { read: readsPercentField("volume", 1, 0), command: volume }, percent, of),
      ...customParts("muted", "boolean", { read: readsFlagField("muted"), command: mute }, {}, of),
    ],
    isPartial: true,
  };
};

const ALARM = [
  ...["disarmed", "armed_home", "armed_away", "armed_night", "armed_vacation", "armed_custom_bypass"],
  ...["pending", "arming", "disarming", "triggered"],
];
const ALARM_STATES: ReadonlyMap<number, Value> = new Map(ALARM.map((word, state) => [state, word]));
const ARMING = 7;
const PENDING = 6;
/** Command of each mode, the state that confirms it, and the feature that it requires. */
const MODES = [
  { word: "disarmed", command: 0, state: 0 },
  { word: "armed_home", command: 2, state: 1 },
  { word: "armed_away", command: 1, state: 2 },
  { word: "armed_night", command: 3, state: 3, feature: 4 },
  { word: "armed_vacation", command: 4, state: 4, feature: 32 },
  { word: "armed_custom_bypass", command: 5, state: 5, feature: 16 },
];
const HOME = 1;
const AWAY = 2;

/** A mode that requires a code cannot be set, because the hub has no code. */
export const alarmPanel: EntityComponent = (entity) => {
  const features = Number(entity.traits.supportedFeatures);
  const wantsCode = flagTrait(entity, "requiresCode");
  const wantsCodeToArm = flagTrait(entity, "requiresCodeToArm");
  const modes = MODES.filter(({ word, feature }) => {
    if (word === "disarmed") return !wantsCode;
    const needed = feature ?? (word === "armed_home" ? HOME : AWAY);
    return !wantsCodeToArm && (features & needed) !== 0;
  });
  const command = (value: Value) => {
    const mode = modes.find(({ word }) => word === value) ?? { command: 0, state: 0 };
    const leads = mode.state === 0 ? [0] : [mode.state, ARMING, PENDING];
    return { options: { command: mode.command }, isSo: ({ state }: EntityState) => leads.includes(Number(state)) };
  };
  const of = "AlarmPanel";
  return {
    parts: [
      ...customParts("state", "string", { read: readsWord("state", ALARM_STATES) }, { values: ALARM }, of),
      ...(modes.length > 0
        ? customParts("target", "string", { command }, { values: modes.map(({ word }) => word) }, of)
        : []),
    ],
    isPartial: wantsCode || wantsCodeToArm,
  };
};
