/** Bodies of property writes, checked without their schemas: they are read thousands of times a second. */
import { propertyUpdate, wideUpdate } from "@porchlight/shared/api";
import type { Value } from "@porchlight/shared/model";
import { readReport, readTtl, readValue } from "@porchlight/shared/rest";
import type { BodyRule } from "../../routing/body-rules.ts";

export interface PropertyBody {
  readonly value: Value;
  /** As the device's own sensor would tell it. */
  readonly report: boolean;
  /** Seconds. */
  readonly ttl: number | undefined;
}

/** Of one property of one device. */
export const PROPERTY_BODY: BodyRule<PropertyBody> = {
  schema: propertyUpdate,
  check: (raw) => ({
    value: readValue(raw, ["report", "ttlSeconds"]),
    report: readReport(raw.report),
    ttl: readTtl(raw.ttlSeconds),
  }),
};

/** Of a property of many devices. */
export const WIDE_BODY: BodyRule<{ readonly value: Value }> = {
  schema: wideUpdate,
  check: (raw) => ({ value: readValue(raw, []) }),
};
