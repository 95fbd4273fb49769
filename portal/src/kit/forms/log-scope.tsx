/** What filters of the request log and of the audit share: whose entries are shown, and a chosen value that no list has. */
import { type ComboboxItem, SegmentedControl } from "@mantine/core";

export interface LogScopeProps {
  readonly isOfAccount: boolean;
  /** `all`: of the whole account. */
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

/** The choices of a list with the chosen one: an address can have one that the list does not. */
export function withChosen(choices: readonly ComboboxItem[], chosen: string | undefined): ComboboxItem[] {
  const isThere = chosen === undefined || choices.some(({ value }) => value === chosen);
  return isThere ? [...choices] : [...choices, { value: chosen, label: chosen }];
}
