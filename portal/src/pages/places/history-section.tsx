/** An ecosystem's history settings: whether and how long it keeps history, within the operator's limits. */
import { Group, NumberInput, Stack, Switch, Text } from "@mantine/core";
import type { HistorySettings } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { historySettingsQuery } from "../../data/places.ts";
import { Failure, fieldError } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { useWanted } from "../../kit/text/use-wanted.ts";
import { useApi } from "../../session/context.tsx";
import { changeOf, deletes, type HistoryChoice, lossOf } from "./history-loss.ts";

const loadQuestion = () => import("../../kit/forms/confirm-dialog.tsx");

export function HistorySection({ ecosystemId }: { readonly ecosystemId: string }) {
  const settings = useQuery(historySettingsQuery(useApi(), ecosystemId));
  return (
    <Section title="History" lead="What properties of all devices of this ecosystem were, for charts and for the API.">
      <QueryView query={settings}>{(known) => <SettingsForm ecosystemId={ecosystemId} settings={known} />}</QueryView>
    </Section>
  );
}

interface SettingsFormProps {
  readonly ecosystemId: string;
  readonly settings: HistorySettings;
}

/** The form's state: a field can be temporarily empty. */
interface Draft {
  readonly enabled?: boolean;
  readonly rawDays?: number | undefined;
  readonly statisticsDays?: number | undefined;
}

function SettingsForm({ ecosystemId, settings }: SettingsFormProps) {
  const { most, ...before } = settings;
  const api = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>({});
  const [isAsking, setAsking] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const { Part: Question, error: notLoaded } = useWanted(loadQuestion, isAsking);
  const typed = { ...before, ...draft };
  const after = wholeOf(typed, most);
  const isChanged = JSON.stringify(typed) !== JSON.stringify(before);
  const loss = lossOf(before, after ?? before);
  const query = historySettingsQuery(api, ecosystemId);
  const save = () => api.ecosystems.updateHistorySettings(ecosystemId, changeOf(before, after ?? before));
  const settle = async () => {
    await queries.invalidateQueries({ queryKey: query.queryKey });
    setDraft({});
    setSaved(true);
  };
  const saving = useMutation({
    mutationFn: async () => {
      // Compute the loss from the current settings, because another user may have extended them.
      const { most: _, ...now } = await queries.fetchQuery({ ...query, staleTime: 0 });
      if (lossOf(now, { ...now, ...changeOf(before, after ?? before) }).length > 0) return "asked";
      await save();
      return "saved";
    },
    onSuccess: (result) => (result === "saved" ? settle() : setAsking(true)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (after && isChanged) saving.mutate();
  };
  const edit = (made: Draft) => {
    setDraft({ ...draft, ...made });
    saving.reset();
    setSaved(false);
  };
  return (
    <form onSubmit={submit}>
      <Unsaved isThere={isChanged && !saving.isPending} what="Your changes to the history settings are" />
      <Stack maw="40rem">
        <Switch
          label="Keep history"
          description="If it is off, nothing new is recorded. What was recorded stays until it is too old."
          checked={typed.enabled}
          onChange={(event) => edit({ enabled: event.currentTarget.checked })}
        />
        <DaysField
          label="Days for which every change is kept"
          most={most.rawDays}
          value={typed.rawDays}
          error={fieldError(saving.error, "rawDays")}
          onChange={(rawDays) => edit({ rawDays })}
        />
        <DaysField
          label="Days for which statistics are kept"
          about="The mean, least and greatest value of each five minutes and each hour. "
          most={most.statisticsDays}
          value={typed.statisticsDays}
          error={fieldError(saving.error, "statisticsDays")}
          onChange={(statisticsDays) => edit({ statisticsDays })}
        />
        {saving.error && <Failure error={saving.error} />}
        {notLoaded && <Failure error={notLoaded} putAway={() => setAsking(false)} />}
        <Group>
          <Submit
            label="Save history settings"
            variant="default"
            isReady={isChanged && after !== undefined}
            isPending={saving.isPending}
            error={saving.error}
          />
          <Text size="sm" role="status">
            {isSaved && "Saved."}
          </Text>
        </Group>
      </Stack>
      {isAsking && Question && (
        <Question
          label="Save history settings"
          title={deletes(before, after ?? before) ? "Delete older history?" : "Stop recording history?"}
          act={save}
          onDone={() => void settle()}
          onClose={() => setAsking(false)}
        >
          <Stack gap="xs">
            {loss.map((sentence) => (
              <Text key={sentence} size="sm">
                {sentence}
              </Text>
            ))}
            {deletes(before, after ?? before) && <Text size="sm">This cannot be undone.</Text>}
          </Stack>
        </Question>
      )}
    </form>
  );
}

interface DaysFieldProps {
  readonly label: string;
  readonly about?: string;
  readonly most: number;
  readonly value: number | undefined;
  readonly error: string | undefined;
  readonly onChange: (days: number | undefined) => void;
}

function DaysField({ label, about = "", most, value, error, onChange }: DaysFieldProps) {
  return (
    <NumberInput
      label={label}
      description={`${about}1 to ${counted(most, "day")}: the operator of the service keeps no more.`}
      inputMode="numeric"
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      maw="24rem"
      value={value ?? ""}
      error={error ?? faultOf(value, most)}
      onChange={(next) => onChange(typeof next === "number" ? next : undefined)}
    />
  );
}

function faultOf(days: number | undefined, most: number): string | undefined {
  if (days === undefined) return "Enter a number of days.";
  return days >= 1 && days <= most ? undefined : `1 to ${most.toLocaleString("en")}`;
}

/** Undefined while a value is invalid. */
function wholeOf(
  { enabled, rawDays, statisticsDays }: Draft & { readonly enabled: boolean },
  most: HistorySettings["most"],
) {
  if (rawDays === undefined || statisticsDays === undefined) return undefined;
  const isRight = !faultOf(rawDays, most.rawDays) && !faultOf(statisticsDays, most.statisticsDays);
  return isRight ? ({ enabled, rawDays, statisticsDays } satisfies HistoryChoice) : undefined;
}
