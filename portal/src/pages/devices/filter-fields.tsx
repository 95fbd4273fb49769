/** The filters of the device list. The address stores them, so that a filtered list can be linked. */
import { NativeSelect } from "@mantine/core";
import type { Client, Zone } from "@porchlight/shared/api";
import type { ServicesByDevice } from "../../data/services.ts";
import { CAPABILITIES } from "../../devices/capability.ts";
import { cut, nameOf } from "../../kit/text/names.ts";
import classes from "./devices.module.css";
import { capabilitiesAmong, type DeviceFilters } from "./filters.ts";

interface FilterFieldsProps {
  readonly filters: DeviceFilters;
  readonly zones: readonly Zone[];
  readonly hubs: readonly Client[];
  readonly services: ServicesByDevice | undefined;
  readonly onChange: (change: DeviceFilters) => void;
}

export function FilterFields({ filters, zones, hubs, services, onChange }: FilterFieldsProps) {
  const { capability, zone, hub, type, state } = filters;
  const kinds = new Set([...capabilitiesAmong(services), ...(capability ? [capability] : [])]);
  return (
    <>
      <Field
        label="Capability"
        placeholder="Any capability"
        data={[...kinds].map((each) => ({ value: each, label: CAPABILITIES[each].many }))}
        value={capability}
        onChange={(next) => onChange({ capability: [...kinds].find((each) => each === next) })}
      />
      <Field
        label="Zone"
        placeholder="Any zone"
        data={named(zones, zone, "a deleted zone")}
        value={zone}
        onChange={(next) => onChange({ zone: next })}
      />
      {(hubs.length > 1 || hub !== undefined) && (
        <Field
          label="Hub"
          placeholder="Any hub"
          data={named(hubs, hub, "a removed hub")}
          value={hub}
          onChange={(next) => onChange({ hub: next })}
        />
      )}
      <Field
        label="Type"
        placeholder="Any type"
        data={["physical", "virtual"]}
        value={type}
        onChange={(next) => onChange({ type: next === "physical" || next === "virtual" ? next : undefined })}
      />
      <Field
        label="State"
        placeholder="Any state"
        data={STATES}
        value={state}
        onChange={(next) => onChange({ state: STATES.find((each) => each === next) })}
      />
    </>
  );
}

const STATES: ("online" | "offline" | "unknown")[] = ["online", "offline", "unknown"];

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Lists the current choice even when its object no longer exists. */
function named(all: readonly (Zone | Client)[], asked: string | undefined, gone: string): Choice[] {
  const known = all.map((each) => ({ value: each.id, label: cut(nameOf(each), 60) }));
  return asked === undefined || all.some(({ id }) => id === asked) ? known : [...known, { value: asked, label: gone }];
}

interface FieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly data: string[] | Choice[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A native select: it is familiar on phones and needs no script. */
function Field({ label, placeholder, data, value, onChange }: FieldProps) {
  return (
    <NativeSelect
      className={classes.filter}
      size="xs"
      aria-label={label}
      data={[{ value: "", label: placeholder }, ...data]}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? undefined : currentTarget.value)}
    />
  );
}
