/**
 * Vendor clusters outside the specification, of common devices: the library identifies them and their attributes by number. Such a device
 * does not report changes, so its values are read on request.
 */
import {
  type Family,
  type MatterProperty,
  NULL_16,
  NULL_S16,
  own,
  type Place,
  type RawOf,
  rawNumber,
  scaled,
  standard,
} from "../matter-property.ts";

/** Eve's cluster from before electricity was in the specification; whole units. */
const EVE = "cluster$130afc01";
const EVE_MEASURED = [
  ["Electricity", "watts", "attr$130a000a", 1],
  ["Electricity", "volts", "attr$130a0008", 1],
  ["Electricity", "amperes", "attr$130a0009", 3],
  ["Electricity", "energy", "attr$130a000b", 3],
  ["Pressure", "hectopascal", "attr$130a0014", 1],
] as const;
const EVE_VALVE = "attr$130a0018";

/** Electrical Measurement of Zigbee: a number with attributes for its multiplier and divisor. */
const ELECTRICAL = "cluster$b04";
const ELECTRICAL_MEASURED = [
  ["watts", "attr$50b", "attr$604", "attr$605", 1, NULL_S16],
  ["volts", "attr$505", "attr$600", "attr$601", 1, NULL_16],
  ["amperes", "attr$508", "attr$602", "attr$603", 3, NULL_16],
] as const;

export const vendorClusters: Family = (endpoint, index) => {
  const place = { endpoint, index };
  return [...eve(place), ...electrical(place)].map(asked);
};

function eve(place: Place): MatterProperty[] {
  const has = (attribute: string) => place.endpoint.attribute(EVE, attribute) !== undefined;
  const valve = { property: "valvePosition", type: "number" as const, unit: "%" };
  return [
    ...EVE_MEASURED.filter(([, , attribute]) => has(attribute)).flatMap(([service, property, attribute, digits]) =>
      standard(place, service, property, {
        of: [`${EVE}.${attribute}`],
        read: (raw) => scaled(raw(EVE, attribute), (value) => value, digits),
      }),
    ),
    ...(has(EVE_VALVE)
      ? [own(place, "Readings", valve, { of: [`${EVE}.${EVE_VALVE}`], read: (raw) => rawNumber(raw(EVE, EVE_VALVE)) })]
      : []),
  ];
}

function electrical(place: Place): MatterProperty[] {
  return ELECTRICAL_MEASURED.filter(
    ([, attribute]) => place.endpoint.attribute(ELECTRICAL, attribute) !== undefined,
  ).flatMap(([property, attribute, multiplier, divisor, digits, markers]) =>
    standard(place, "Electricity", property, {
      of: [attribute, multiplier, divisor].map((name) => `${ELECTRICAL}.${name}`),
      read: (raw: RawOf) => {
        const [times, by] = [multiplier, divisor].map((name) => {
          const stated = rawNumber(raw(ELECTRICAL, name));
          // Firmware without a factor reports 0.
          return stated === undefined || stated === 0 ? 1 : stated;
        });
        // Without a factor the unit is unknown.
        if (times === null || times === undefined || by === null || by === undefined) return null;
        return scaled(raw(ELECTRICAL, attribute), (value) => (value * times) / by, digits, markers);
      },
    }),
  );
}

function asked(property: MatterProperty): MatterProperty {
  return { ...property, description: { ...property.description, access: ["read"] } };
}
