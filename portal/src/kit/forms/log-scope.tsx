/** Shared filter parts of the request log and the audit log: the scope of the entries, and selected values that are missing from a list. */
import { type ComboboxItem, SegmentedControl } from "@mantine/core";

interface LogScopeProps {
  readonly isOfAccount: boolean;
  /** `all`: entries of the whole account. */
  readonly onChange: (change: { readonly all: true | undefined }) => void;
}

export function LogScope({ isOfAccount, onChange }: LogScopeProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Scope"
      data={[
        { value: "one", label: "This ecosystem" },
        { value: "all", label: "Whole account" },
      ]}
      value={isOfAccount ? "all" : "one"}
      onChange={(value) => onChange({ all: value === "all" || undefined })}
    />
  );
}

/** Adds the selected value to the choices when it is missing: an address can contain any value. */
export function withChosen(choices: readonly ComboboxItem[], chosen: string | undefined): ComboboxItem[] {
  const isThere = chosen === undefined || choices.some(({ value }) => value === chosen);
  return isThere ? [...choices] : [...choices, { value: chosen, label: chosen }];
}
