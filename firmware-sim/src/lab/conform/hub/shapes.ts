/** Whether a hub's message has the fields of the protocol's table, each by its own number. */
import type { Value } from "@porchlight/shared/model";
import type { ProfileFault } from "../watch/profile.ts";
import {
  type Check,
  edgeIdFaults,
  errorFields,
  fault,
  field,
  isMap,
  isUnsigned,
  keyOrder,
  none,
  shapeFaultsBy,
} from "../watch/shapes.ts";

const place = (device: Value | undefined) => field("device", isUnsigned(device, 127), "a place");

const address: Check = ([device, service, index, property]) => [
  ...place(device),
  ...field("service", typeof service === "string", "text"),
  ...field("index", isUnsigned(index, 999), "0 to 999"),
  ...field("property", typeof property === "string", "text"),
];

/** What a hub sends, by type. */
const CHECKS: Readonly<Record<number, Check>> = {
  2: ([info]) => acknowledgement(info),
  3: ([device, part]) => [...place(device), ...field("part", isUnsigned(part), "unsigned")],
  5: address,
  7: (fields) => [...address(fields), ...field("value", fields.length >= 5, "there")],
  10: none,
  11: none,
  12: none,
  13: errorFields,
  15: ([device, seconds]) => [...place(device), ...field("seconds", isUnsigned(seconds), "unsigned")],
  16: none,
};

/** What is wrong with a body that keeps the CBOR profile, as a hub's message. */
export function hubShapeFaults(body: Uint8Array): ProfileFault[] {
  return shapeFaultsBy(CHECKS, "hub", body);
}

function acknowledgement(info: Value | undefined): ProfileFault[] {
  if (!isMap(info)) return fault("M4", "HELLO_ACK has no map.");
  return [
    ...field("v", info.v === 1, "1"),
    ...edgeIdFaults("hub", info.hub),
    ...field("now", info.now === undefined || isUnsigned(info.now), "Unix time in seconds, or left out"),
    ...keyOrder("HELLO_ACK", info, ["v", "hub", "now"]),
  ];
}
