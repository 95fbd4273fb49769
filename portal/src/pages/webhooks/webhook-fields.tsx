/** Fields of a webhook's form, for a new one and for one that there is; errors of the service stand at the field that they are of. */
import { SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { fieldError } from "../../kit/display/failure.tsx";
import { EventChoice } from "../../kit/forms/event-choice.tsx";
import { EVERYTHING } from "../../kit/forms/event-types.ts";
import { saysWhen } from "../../kit/forms/form-error.ts";

export interface WebhookForm {
  readonly url: string;
  readonly description: string;
  /** Types and `prefix.*`, or `*` alone. */
  readonly events: readonly string[];
}

/** Errors that the fields say. */
export const AT_FIELDS = ["Webhook Callback Invalid", "Webhook Callback Missing", "Webhook Events Invalid"] as const;

export interface WebhookFieldsProps {
  readonly form: WebhookForm;
  readonly onChange: (change: Partial<WebhookForm>) => void;
  /** Of the last try. */
  readonly error: unknown;
}

export function WebhookFields({ form, onChange, error }: WebhookFieldsProps) {
  const isAll = form.events.includes(EVERYTHING);
  const faultOfEvents =
    saysWhen(error, "Webhook Events Invalid") ?? (form.events.length === 0 ? "Choose at least one type." : undefined);
  return (
    <Stack>
      <TextInput
        label="Callback URL"
        description="An https URL at a public address. The operator of the service may allow others."
        placeholder="https://receiver.example/porchlight"
        type="url"
        inputMode="url"
        autoComplete="off"
        value={form.url}
        error={saysWhen(error, "Webhook Callback Invalid", "Webhook Callback Missing") ?? fieldError(error, "url")}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <TextInput
        label="Description"
        description="Optional. Only you see it."
        autoComplete="off"
        maxLength={1000}
        value={form.description}
        error={fieldError(error, "description")}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          Events
        </Text>
        <SegmentedControl
          aria-label="Events"
          w="fit-content"
          data={[
            { value: "all", label: "All" },
            { value: "some", label: "Some" },
          ]}
          value={isAll ? "all" : "some"}
          onChange={(value) => onChange({ events: value === "all" ? [EVERYTHING] : [] })}
        />
        {!isAll && <EventChoice chosen={form.events} onChange={(events) => onChange({ events })} />}
        {faultOfEvents && (
          <Text size="sm" c="var(--mantine-color-error)" role="status">
            {faultOfEvents}
          </Text>
        )}
      </Stack>
    </Stack>
  );
}
