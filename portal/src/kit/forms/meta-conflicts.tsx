/** Shows concurrent changes of two people side by side, with a choice for each key. */
import { Alert, Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Conflict, Side } from "./merge.ts";
import classes from "./meta-editor.module.css";

interface MetaConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly onChosen: (made: readonly { readonly conflict: Conflict; readonly side: Side }[]) => void;
  readonly onBack: () => void;
}

export function MetaConflicts({ conflicts, onChosen, onBack }: MetaConflictsProps) {
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
