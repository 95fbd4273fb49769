/** A field for a value that is set on many devices, built from the property's descriptor, with its send button. */
import { Button, Group, NumberInput, Select } from "@mantine/core";
import { useState } from "react";
import { booleanWords, withUnit } from "../../kit/text/value-words.ts";
import type { Settable } from "./control-summary.ts";

interface ValueFieldProps {
  readonly settable: Settable;
  readonly isBusy: boolean;
  readonly onSet: (value: unknown) => void;
}

export function ValueField({ settable, isBusy, onSet }: ValueFieldProps) {
  const { property, service } = settable;
  const name = `${service}.${property.property}`;
  if (property.type === "boolean") {
    const [yes, no] = booleanWords(property.property);
    return (
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          onClick={() => onSet(true)}
          aria-label={`All ${yes}: ${name}`}
        >
          All {yes}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          onClick={() => onSet(false)}
          aria-label={`All ${no}: ${name}`}
        >
          All {no}
        </Button>
      </Group>
    );
  }
  return property.values ? (
    <OneOf settable={settable} isBusy={isBusy} onSet={onSet} />
  ) : (
    <Amount settable={settable} isBusy={isBusy} onSet={onSet} />
  );
}

function OneOf({ settable: { property, service }, isBusy, onSet }: ValueFieldProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const values = property.values ?? [];
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        size="xs"
        w="8rem"
        aria-label={`${service}.${property.property} of all`}
        placeholder="Choose"
        data={values.map(String)}
        value={chosen}
        onChange={setChosen}
      />
      <Button
        size="xs"
        variant="default"
        disabled={isBusy || chosen === null}
        onClick={() => onSet(values.find((value) => String(value) === chosen))}
      >
        Set all
      </Button>
    </Group>
  );
}

function Amount({ settable: { property, service, items }, isBusy, onSet }: ValueFieldProps) {
  const [typed, setTyped] = useState<string | number>("");
  const { min, max, step, unit } = property;
  const range = min !== undefined && max !== undefined ? `${min} to ${max}` : String(items[0]?.value ?? "");
  return (
    <Group gap="xs" wrap="nowrap">
      <NumberInput
        size="xs"
        w="8rem"
        aria-label={`${service}.${property.property} of all`}
        placeholder={range}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        step={step ?? 1}
        allowDecimal={property.type !== "integer"}
        suffix={withUnit("", unit)}
        value={typed}
        onChange={setTyped}
      />
      <Button size="xs" variant="default" disabled={isBusy || typeof typed !== "number"} onClick={() => onSet(typed)}>
        Set all
      </Button>
    </Group>
  );
}
