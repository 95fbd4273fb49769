/** The control of a property, chosen by its descriptor. */
import { NativeSelect, SegmentedControl, Switch, Text } from "@mantine/core";
import { useWanted } from "../kit/text/use-wanted.ts";
import classes from "./control.module.css";
import type { Choice, Control } from "./control-of.ts";
import { type ControlProps, NumberField, Slider, TextField } from "./fields.tsx";

const loadJsonField = () => import("./json-field.tsx");

export function ControlView({ control, ...props }: ControlProps & { readonly control: Control }) {
  switch (control.kind) {
    case "switch":
      return <SwitchControl {...props} />;
    case "slider":
      return <Slider {...props} range={control.range} track={control.track} />;
    case "number":
      return <NumberField {...props} isInteger={control.isInteger} />;
    case "choice":
      return control.shape === "segments" ? (
        <Segments {...props} values={control.values} />
      ) : (
        <List {...props} values={control.values} />
      );
    case "text":
      return <TextField {...props} />;
    case "json":
      return <JsonControl {...props} />;
    case "reading":
    case "occurrence":
      return null;
  }
}

function SwitchControl({ label, value, isPending, words, onAsk }: ControlProps) {
  return (
    <Switch
      className={classes.switch}
      data-pending={isPending || undefined}
      aria-label={label}
      label={words(value)}
      checked={value === true}
      onChange={(event) => onAsk(event.currentTarget.checked)}
    />
  );
}

function JsonControl(props: ControlProps) {
  const { Part: JsonField, error } = useWanted(loadJsonField, true);
  if (JsonField) return <JsonField {...props} />;
  return error && <Text size="sm">{error.message}</Text>;
}

type ChoiceProps = ControlProps & { readonly values: readonly Choice[] };

/** Choices are identified by their index, because two can have the same text. */
function placeOf(values: readonly Choice[], value: unknown): string {
  const at = values.indexOf(value as Choice);
  return at === -1 ? "" : String(at);
}

function Segments({ label, value, values, isPending, words, onAsk }: ChoiceProps) {
  return (
    <SegmentedControl
      className={classes.segments}
      data-pending={isPending || undefined}
      aria-label={label}
      data={values.map((each, at) => ({ value: String(at), label: words(each) }))}
      value={placeOf(values, value)}
      onChange={(at) => onAsk(values[Number(at)])}
    />
  );
}

function List({ label, value, values, isPending, words, onAsk }: ChoiceProps) {
  const at = placeOf(values, value);
  const absent = value === undefined ? "no value" : `${words(value)} (not one of the options)`;
  return (
    <NativeSelect
      className={classes.list}
      data-pending={isPending || undefined}
      aria-label={label}
      data={[
        ...(at === "" ? [{ value: "", label: absent, disabled: true }] : []),
        ...values.map((each, place) => ({ value: String(place), label: words(each) })),
      ]}
      value={at}
      onChange={(event) => onAsk(values[Number(event.currentTarget.value)])}
    />
  );
}
