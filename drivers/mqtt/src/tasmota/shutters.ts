/** Shutters of a Tasmota device: each moves by two relays. */
import { isRecord, readOneOf, turnedRound } from "@porchlight/driver-kit";
import { type Codec, shareCodec } from "../device/codec.ts";
import type { PlaceThings } from "../device/device-places.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import { property, type TasmotaTopics } from "./topics.ts";

/** Bit of a shutter's options that turns it round. */
const TURNED = 1;

const COVER = ["position", "target", "movement"] as const;
const DIRECTIONS = { opening: 1, closing: -1, stopped: 0 } as const;

/** @param options of each shutter */
export function shutterProperties(
  count: number,
  options: readonly number[],
  topics: TasmotaTopics,
  place: PlaceThings,
): MqttProperty[] {
  const things = Array.from({ length: count }, (_, at) => ({
    ...{ id: `Shutter${at + 1}`, number: at + 1, index: count === 1 ? 0 : at + 1 },
    properties: COVER.map((property) => ({ service: "Cover", property })),
  }));
  return place(things).flatMap(({ thing: { id, number }, addresses }) => {
    const isTurned = ((options[number - 1] ?? 0) & TURNED) === TURNED;
    // The state of the whole device says nothing of its shutters; the command without a position tells where they are.
    const command = `ShutterPosition${number}`;
    const told = { members: [id], question: command, also: [topics.sensor, ...topics.alsoSensors] };
    const [position, target, movement] = addresses;
    return [
      ...(position ? property(topics, position, positionCodec(isTurned, "Position"), told) : []),
      ...(target ? property(topics, target, positionCodec(isTurned, "Target"), { ...told, command }) : []),
      ...(movement ? property(topics, movement, movementCodec(isTurned), told) : []),
    ];
  });
}

function positionCodec(isTurned: boolean, member: "Position" | "Target"): Codec {
  const { read, write } = shareCodec(0, 100, isTurned ? turnedRound : undefined);
  return {
    read: (raw) => (isRecord(raw) ? read(raw[member]) : null),
    write: (value) => write?.(Math.round(Number(value))),
    tolerance: 1,
  };
}

function movementCodec(isTurned: boolean): Codec {
  const { opening, closing, stopped } = DIRECTIONS;
  const pairs = [
    [stopped, "stopped"],
    [isTurned ? closing : opening, "opening"],
    [isTurned ? opening : closing, "closing"],
  ] as const;
  return { read: (raw) => (isRecord(raw) ? readOneOf(raw.Direction, pairs) : null) };
}
