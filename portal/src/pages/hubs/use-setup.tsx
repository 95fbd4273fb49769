/** The dialog of a driver's setup, from start to end: instructions, questions, and found devices. */
import { Button, Group, List, Modal, PasswordInput, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Client } from "@porchlight/shared/api";
import type { HubSetup, SetupKindText } from "@porchlight/shared/model";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { NewNamesFields, useNewNames } from "../../devices/new-names-fields.tsx";
import { Failure } from "../../kit/display/failure.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { secondsLeft } from "../../kit/forms/form-error.ts";
import { useNow } from "../../kit/text/age.tsx";
import { useApi } from "../../session/context.tsx";

/** How long the hub delays its response while nothing changes, in seconds. */
const WAIT_SECONDS = 10;

/**
 * The button that starts a setup, and the setup's dialog. The dialog is rendered apart from the button: the setup can find the device that
 * the button belongs to, which removes the button, while the dialog stays until the user closes it.
 */
export function useSetup({ id: clientId, environmentId }: Pick<Client, "id" | "environmentId">) {
  const api = useApi();
  const queries = useQueryClient();
  const [title, setTitle] = useState("");
  const [isOpen, { open, close }] = useDisclosure(false);
  const starting = useMutation({
    mutationFn: ({ kind }: SetupKindText) => api.clients.startSetup(clientId, kind),
    onMutate: (setup) => {
      setTitle(setup.title);
      open();
    },
  });
  const { data: started, variables } = starting;
  const leave = () => {
    if (started) void api.clients.cancelSetup(clientId, started.id).catch(() => undefined);
    close();
    starting.reset();
    void queries.invalidateQueries({ queryKey: ["clients", "drivers", clientId] });
  };
  const dialog = (
    <Modal opened={isOpen} onClose={leave} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="md">
        {starting.error && variables && <Failure error={starting.error} retry={() => starting.mutate(variables)} />}
        {!started && !starting.error && <Text size="sm">Starting setup on the hub…</Text>}
        {started && <Conversation {...{ clientId, environmentId }} first={started} onClose={leave} />}
      </Stack>
    </Modal>
  );
  return { start: (setup: SetupKindText) => starting.mutate(setup), dialog };
}

interface ConversationProps {
  readonly clientId: string;
  readonly environmentId: string;
  readonly first: HubSetup;
  readonly onClose: () => void;
}

/** Follows the setup by long polling: the hub responds when there is something new. */
function Conversation({ clientId, environmentId, first, onClose }: ConversationProps) {
  const api = useApi();
  const queries = useQueryClient();
  const key = ["clients", "setups", clientId, first.id];
  const { data: setup = first, error } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const seen = queries.getQueryData<HubSetup>(key)?.version ?? 0;
      return api.clients.setup(clientId, first.id, { after: seen, wait: WAIT_SECONDS, signal });
    },
    refetchInterval: ({ state: { data, error: failed } }) => (data && isOver(data) ? false : failed ? 2000 : 100),
    retry: false,
    gcTime: 0,
  });
  const answering = useMutation({
    mutationFn: ({ number, answer }: { number: number; answer: string }) =>
      api.clients.answerSetup(clientId, first.id, number, answer),
    onSuccess: (next) => queries.setQueryData(key, next),
  });
  const { question, found } = setup;
  const names = useNewNames(
    environmentId,
    ({ edgeId }) => edgeId !== undefined && found.some((each) => each.edgeId === edgeId),
  );
  // A pending question must be answered before names can be saved.
  const isNamed = !question && names.items.some(({ name }) => name.trim() !== "");
  const finish = async () => {
    if (!isNamed || (await names.save())) onClose();
  };
  return (
    <>
      <div aria-live="polite">{question ? null : <Progress setup={setup} />}</div>
      {setup.secondsLeft !== undefined && <TimeLeft key={setup.version} seconds={setup.secondsLeft} />}
      {question && (
        <Question
          key={question.number}
          question={question}
          isPending={answering.isPending}
          error={answering.error}
          onAnswer={(answer) => answering.mutate({ number: question.number, answer })}
        />
      )}
      {found.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            Found
          </Text>
          <List size="sm">
            {found.map(({ edgeId, name }) => (
              <List.Item key={edgeId ?? name}>
                <bdi>{name}</bdi> {edgeId && <span className="mono">{edgeId}</span>}
              </List.Item>
            ))}
          </List>
        </div>
      )}
      {!question && names.items.length > 0 && <NewNamesFields names={names} />}
      {error && <Failure error={error} />}
      <Group justify="flex-end">
        <Button variant={isNamed ? "filled" : "default"} loading={names.isSaving} onClick={() => void finish()}>
          {isNamed ? "Save and finish" : END_WORDS[endOf(setup)]}
        </Button>
      </Group>
    </>
  );
}

function Progress({ setup: { state, text } }: { readonly setup: HubSetup }) {
  const tone = state === "done" ? "good" : state === "failed" ? "bad" : "none";
  return (
    <Text size="sm" component="div">
      {state === "running" ? text : <StateWord tone={tone}>{text}</StateWord>}
    </Text>
  );
}

/** A visible countdown that screen readers do not read each second. */
function TimeLeft({ seconds }: { readonly seconds: number }) {
  const [until] = useState(() => Date.now() + seconds * 1000);
  const left = secondsLeft(until, useNow());
  return (
    <Text size="sm" c="dimmed">
      {left} s left
    </Text>
  );
}

interface QuestionProps {
  readonly question: NonNullable<HubSetup["question"]>;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onAnswer: (answer: string) => void;
}

function Question({ question: { ask, text, choices = [] }, isPending, error, onAnswer }: QuestionProps) {
  const [answer, setAnswer] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (answer !== "") onAnswer(answer);
  };
  const field = { label: text, value: answer, autoComplete: "off", "data-autofocus": true } as const;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {ask === "choice" && (
          <Radio.Group label={text} value={answer} onChange={setAnswer}>
            <Stack gap="xs" mt="xs">
              {choices.map((choice) => (
                <Radio key={choice} value={choice} label={choice} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        {ask === "code" && <TextInput {...field} onChange={(event) => setAnswer(event.currentTarget.value)} />}
        {ask === "password" && <PasswordInput {...field} onChange={(event) => setAnswer(event.currentTarget.value)} />}
        {error && <Failure error={error} />}
        <Group>
          <Submit label="Answer" isPending={isPending} isReady={answer !== ""} error={error} />
        </Group>
      </Stack>
    </form>
  );
}

function isOver({ state }: HubSetup): boolean {
  return state !== "running" && state !== "asking";
}

/** The effect of closing the dialog on the setup. */
function endOf(setup: HubSetup): keyof typeof END_WORDS {
  if (isOver(setup)) return "over";
  return setup.state === "running" && setup.found.length > 0 ? "found" : "nothing";
}

const END_WORDS = { over: "Close", found: "Finish", nothing: "Cancel" } as const;
