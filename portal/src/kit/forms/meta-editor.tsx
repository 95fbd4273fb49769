/**
 * Edits the metadata of any object as JSON. A write replaces the whole metadata, so the editor states that, writes only over the version
 * it knows, and merges the changes of two people who edit at the same time.
 */
import { Alert, Button, Group, Radio, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "../display/failure.tsx";
import { QueryView } from "../display/query-view.tsx";
import { type Choose, type Conflict, chosenOf, type Fields, type Side } from "./merge.ts";
import classes from "./meta-editor.module.css";
import {
  type KnownMeta,
  type MetaSource,
  partsOf,
  readMeta,
  readMetaOf,
  type SaveResult,
  SYSTEM_PREFIX,
  saveMeta,
  sizeOf,
} from "./meta-save.ts";
import { Unsaved } from "./unsaved.tsx";

interface MetaEditorProps {
  /** Root of the query keys of its kind: "zones". */
  readonly kind: string;
  readonly id: string;
  /** The SDK's resource for its kind: `api.zones`. */
  readonly source: MetaSource;
  /** Keys that the service maintains itself; they are shown and cannot be edited: `KEPT_OF_DEVICES` for a physical device. */
  readonly kept?: readonly string[] | undefined;
}

export function MetaEditor({ kind, id, source, kept = [] }: MetaEditorProps) {
  const queryKey = [kind, "meta", id];
  const query = useQuery({ queryKey, queryFn: () => readMetaOf(source, id) });
  return <QueryView query={query}>{(known) => <Editor {...{ kind, id, source, kept, known }} key={id} />}</QueryView>;
}

/** The text being edited and the version it is based on. */
interface Draft {
  readonly text: string;
  readonly base: KnownMeta;
}

interface EditorProps extends Required<MetaEditorProps> {
  readonly kept: readonly string[];
  readonly known: KnownMeta;
}

function Editor({ kind, id, source, kept, known }: EditorProps) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>();
  const parts = partsOf(known.meta, kept);
  const text = draft?.text ?? written(parts.edited);
  const read = readMeta(text);
  const saving = useMutation({
    mutationFn: ({
      theirs,
      choose,
    }: {
      readonly theirs?: KnownMeta;
      readonly choose?: Choose;
    }): Promise<SaveResult> => {
      if (!read.meta) throw new Error(read.fault);
      return saveMeta(source, id, { base: draft?.base ?? known, mine: read.meta, kept, theirs, choose });
    },
    onSuccess: async (result) => {
      if (result.kind === "conflicts") return;
      queries.setQueryData([kind, "meta", id], result.known);
      setDraft(undefined);
      await queries.invalidateQueries({ queryKey: [kind] });
    },
  });
  const result = saving.data;
  const unsaved = <Unsaved isThere={draft !== undefined} what="Your changes to the metadata are" />;
  if (result?.kind === "conflicts")
    return (
      <>
        {unsaved}
        <MetaConflicts
          key={result.theirs.etag}
          conflicts={result.conflicts}
          onChosen={(made) => saving.mutate({ theirs: result.theirs, choose: chosenOf(made) })}
          onBack={() => saving.reset()}
        />
      </>
    );
  const change = (value: string) => {
    setDraft({ text: value, base: draft?.base ?? known });
    if (!saving.isPending) saving.reset();
  };
  return (
    <Stack gap="sm" className={classes.editor}>
      {unsaved}
      <Kept meta={parts.kept} />
      <Textarea
        label="Metadata, as JSON"
        description="Saving replaces the whole object. Keys that are not in this text are removed."
        autosize
        minRows={4}
        maxRows={24}
        spellCheck={false}
        autoComplete="off"
        value={text}
        error={read.fault}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {read.meta && <Keys meta={read.meta} bytes={read.bytes} />}
      {draft && draft.base.etag !== known.etag && (
        <Text size="sm" role="status">
          Someone else changed the metadata since you started. Saving keeps both changes.
        </Text>
      )}
      {saving.error && <Failure error={saving.error} />}
      <Group mih={36}>
        <Button
          variant="default"
          disabled={!draft || !read.meta}
          loading={saving.isPending}
          onClick={() => saving.mutate({})}
        >
          Save metadata
        </Button>
        {draft && (
          <Button variant="default" disabled={saving.isPending} onClick={() => setDraft(undefined)}>
            Discard changes
          </Button>
        )}
        <Text size="sm" role="status">
          {!draft &&
            result &&
            (result.isMerged ? "Saved, together with the changes that someone else made." : "Saved.")}
        </Text>
      </Group>
    </Stack>
  );
}

function written(meta: Fields): string {
  return JSON.stringify(meta, null, 2);
}

/** The metadata that the service maintains itself. */
function Kept({ meta }: { readonly meta: Fields }) {
  const entries = Object.entries(meta);
  if (entries.length === 0) return null;
  return (
    <section className={classes.read} aria-label="Metadata that the service maintains">
      <Text size="sm" fw={600} mb="xs">
        Maintained by the service (read only)
      </Text>
      <dl className={classes.kept}>
        {entries.map(([key, value]) => (
          <div key={key} className={classes.pair}>
            <dt className="mono">{key}</dt>
            <dd>
              <bdi>{typeof value === "string" ? value : JSON.stringify(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Explains which keys are system metadata, and how many bytes are left. */
function Keys({ meta, bytes }: { readonly meta: Fields; readonly bytes: number }) {
  const keys = Object.keys(meta);
  const system = keys.filter((key) => key.startsWith(SYSTEM_PREFIX));
  const own = keys.length - system.length;
  return (
    <div className={classes.keys}>
      <span>
        {own} {own === 1 ? "key" : "keys"} of your own
      </span>
      <span>
        System metadata (keys that begin with <code className="mono">{SYSTEM_PREFIX}</code>):{" "}
        {system.length === 0 ? (
          "none"
        ) : (
          <bdi className="mono">
            {system.slice(0, 8).join(", ")}
            {system.length > 8 && ` and ${system.length - 8} more`}
          </bdi>
        )}
      </span>
      <span>{sizeOf(bytes)}</span>
    </div>
  );
}

interface MetaConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly onChosen: (made: readonly { readonly conflict: Conflict; readonly side: Side }[]) => void;
  readonly onBack: () => void;
}

/** Shows concurrent changes of two people side by side, with a choice for each key. */
function MetaConflicts({ conflicts, onChosen, onBack }: MetaConflictsProps) {
  const [sides, setSides] = useState<readonly (Side | undefined)[]>([]);
  const made = conflicts.flatMap((conflict, at) => {
    const side = sides[at];
    return side ? [{ conflict, side }] : [];
  });
  const choose = (at: number, side: Side) => setSides(conflicts.map((_, each) => (each === at ? side : sides[each])));
  return (
    <Stack gap="sm">
      <Alert color="amber" variant="light" title="Someone else changed the same keys" role="alert">
        Nothing is saved yet. Changes that only one of you made are kept. Choose a value for each key that you both
        changed.
      </Alert>
      {conflicts.map((conflict, at) => (
        <fieldset key={JSON.stringify(conflict.path)} className={classes.conflict}>
          <legend className="mono">
            <bdi>{conflict.path.join(" › ")}</bdi>
          </legend>
          <Text size="sm" c="dimmed">
            It was <code className="mono">{shown(conflict.base)}</code>
          </Text>
          <div className={classes.sides}>
            <Choice
              label="Yours"
              value={conflict.mine}
              isChosen={sides[at] === "mine"}
              choose={() => choose(at, "mine")}
            />
            <Choice
              label="Theirs"
              value={conflict.theirs}
              isChosen={sides[at] === "theirs"}
              choose={() => choose(at, "theirs")}
            />
          </div>
        </fieldset>
      ))}
      <Group>
        <Button disabled={made.length < conflicts.length} onClick={() => onChosen(made)}>
          Save metadata
        </Button>
        <Button variant="default" onClick={onBack}>
          Back to editing
        </Button>
      </Group>
    </Stack>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: unknown;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Choice({ label, value, isChosen, choose }: ChoiceProps) {
  return (
    <div>
      <Radio label={label} checked={isChosen} onChange={choose} />
      <pre className={classes.value}>{shown(value)}</pre>
    </div>
  );
}

function shown(value: unknown): string {
  return value === undefined ? "(missing)" : JSON.stringify(value, null, 2);
}
