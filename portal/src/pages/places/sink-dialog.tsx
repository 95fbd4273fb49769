/** The form for a new or existing sink. It is its own file to load on first use. */
import { Checkbox, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import type { Sink } from "@porchlight/shared/api";
import { useState } from "react";
import { fieldError } from "../../kit/display/failure.tsx";
import { FormModal } from "../../kit/forms/form-dialog.tsx";
import { useAccess } from "../../session/context.tsx";
import { needsToken, sinkDraftOf, sinkUpdateOf } from "./sink-draft.ts";

interface SinkDialogProps {
  readonly ecosystemId: string;
  /** Undefined when there is no sink yet. */
  readonly sink: Sink | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export default function SinkDialog({ ecosystemId, sink, onDone, onClose }: SinkDialogProps) {
  const { ecosystems } = useAccess().direct;
  const [draft, setDraft] = useState(() => sinkDraftOf(sink));
  const update = sinkUpdateOf(sink, draft);
  const isLacking = needsToken(sink, draft);
  const verb = sink ? "Edit" : "Create";
  return (
    <FormModal
      title={`${verb} sink`}
      submitLabel={sink ? "Save sink" : "Create sink"}
      isReady={draft.url.trim() !== "" && !isLacking && Object.keys(update).length > 0}
      act={() => ecosystems.setSink(ecosystemId, update)}
      onDone={onDone}
      onClose={onClose}
    >
      {(error) => (
        <Stack>
          <TextInput
            label="URL"
            description="Where lines are posted to, with the database, bucket or organisation in its query. https at a public address, unless the operator of the service allows others."
            placeholder="https://influx.example/api/v2/write?org=home&bucket=porchlight"
            type="url"
            inputMode="url"
            autoComplete="off"
            maxLength={2048}
            value={draft.url}
            error={fieldError(error, "url")}
            onChange={(event) => setDraft({ ...draft, url: event.currentTarget.value })}
          />
          <PasswordInput
            label="Token"
            description={
              sink?.hasToken
                ? "One is stored, and never shown. Leave this empty to keep it."
                : "Optional. It is stored encrypted, and never shown again. For a user name and a password: Basic, a space, and base64 of USER:PASSWORD."
            }
            autoComplete="off"
            maxLength={1024}
            value={draft.token}
            error={
              fieldError(error, "token") ??
              (isLacking && "The stored token was given for another host. Enter it again, or remove it.")
            }
            onChange={(event) => setDraft({ ...draft, token: event.currentTarget.value })}
          />
          {sink?.hasToken && (
            <Checkbox
              label="Remove the stored token"
              checked={draft.isTokenRemoved}
              onChange={(event) => setDraft({ ...draft, isTokenRemoved: event.currentTarget.checked })}
            />
          )}
          <TextInput
            label="Prefix of measurements"
            description="Optional. Stands before the service class, as in home_Temperature."
            autoComplete="off"
            maxLength={64}
            value={draft.measurementPrefix}
            error={
              fieldError(error, "measurementPrefix") ??
              (/^[\w.-]*$/.test(draft.measurementPrefix) ? undefined : "Letters, digits, and . _ - only.")
            }
            onChange={(event) => setDraft({ ...draft, measurementPrefix: event.currentTarget.value })}
          />
          {!sink && <Text size="sm">Values are written from now on, each when it changes.</Text>}
        </Stack>
      )}
    </FormModal>
  );
}
