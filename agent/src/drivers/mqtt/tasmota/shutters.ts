/** Shutters of a Tasmota device: each moves by two relays. */
import { turnedRound } from "../../kit/index.ts";
import type { Codec } from "../device/codec.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import { memberOf, property, type TasmotaTopics } from "./topics.ts";

/** Bit of a shutter's options that turns it round. */
const TURNED = 1;

/** @param options of each shutter */
export function shutterProperties(count: number, options: readonly number[], topics: TasmotaTopics): MqttProperty[] {
  return Array.from({ length: count }, (_, place) => place).flatMap((place) => {
    const isTurned = ((options[place] ?? 0) & TURNED) === TURNED;
    const index = count === 1 ? "0" : String(place + 1);
    // The state of the whole device says nothing of its shutters; the command without a position tells where they are.
    const command = `ShutterPosition${place + 1}`;
    const told = { members: [`Shutter${place + 1}`], question: command };
    return [
      ...property(topics, { service: "Cover", index, property: "position" }, positionCodec(isTurned, "Position"), told),
      ...property(topics, { service: "Cover", index, property: "target" }, positionCodec(isTurned, "Target"), {
        ...{ ...told, command },
      }),
      ...property(topics, { service: "Cover", index, property: "movement" }, movementCodec(isTurned), told),
    ];
  });
}

function positionCodec(isTurned: boolean, member: "Position" | "Target"): Codec {
  const seen = (position: number) => (isTurned ? turnedRound(position) : position);
  return {
    read: (json) => {
      const position = memberOf(json, member);
      return typeof position === "number" ? seen(position) : undefined;
    },
    write: (value) => seen(Math.round(Number(value))),
    tolerance: 1,
  };
}

function movementCodec(isTurned: boolean): Codec {
  return {
    read: (json) => {
      const direction = memberOf(json, "Direction");
      if (direction === 0) return "stopped";
      return typeof direction === "number" ? (direction > 0 !== isTurned ? "opening" : "closing") : undefined;
    },
  };
}
