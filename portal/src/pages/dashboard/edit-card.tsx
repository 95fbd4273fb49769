/** The dialog that edits a card: its title, and the time span of a chart. It is its own file to load on first use. */
import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormModal } from "../../kit/forms/form-dialog.tsx";
import { cut } from "../../kit/text/names.ts";
import {
  type DashboardChange,
  edited,
  LONGEST_TITLE,
  type PinnedCard,
  rangeChoices,
  rangeWords,
  readTitle,
  USUAL_LENGTH,
} from "./cards.ts";

interface EditCardProps {
  readonly card: PinnedCard;
  /** The default title. */
  readonly usual: string;
  /** The dashboard's time span, in ms; undefined when it is not set. */
  readonly dashboardLength: number | undefined;
  /** Settles when the change is saved. */
  readonly onEdit: (change: DashboardChange) => Promise<void>;
  readonly onClose: () => void;
}

/** The select's value for the dashboard's time span. */
const SHARED = "";

export default function EditCard({ card, usual, dashboardLength, onEdit, onClose }: EditCardProps) {
  const [title, setTitle] = useState(card.title ?? "");
  const [length, setLength] = useState(card.length);
  const isChart = card.kind === "chart";
  return (
    <FormModal
      title="Edit card"
      submitLabel="Save card"
      act={() => onEdit(edited(card.id, { title: readTitle(title), ...(isChart && { length }) }))}
      onClose={onClose}
    >
      {() => (
        <Stack>
          <TextInput
            label="Title"
            description="Without one, the card is called by what it shows."
            placeholder={cut(usual, 60)}
            autoComplete="off"
            maxLength={LONGEST_TITLE}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          {isChart && (
            <NativeSelect
              label="Time shown"
              value={length === undefined ? SHARED : String(length)}
              onChange={({ currentTarget: { value } }) => setLength(value === SHARED ? undefined : Number(value))}
              data={[
                { value: SHARED, label: `As the dashboard: ${rangeWords(dashboardLength ?? USUAL_LENGTH)}` },
                ...rangeChoices(card.length),
              ]}
            />
          )}
        </Stack>
      )}
    </FormModal>
  );
}
