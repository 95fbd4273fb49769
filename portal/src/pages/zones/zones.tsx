/** The zones of an environment as a tree that can be rearranged. */
import { Button, Group, Text, TextInput } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Icon } from "../../kit/display/icon.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { ConsoleCommand } from "../../kit/display/shell-commands.tsx";
import { CONSOLE_COMMANDS } from "../../kit/text/shell-commands.ts";
import { A_LOT, type Forest, type ForestRow, foundRows, nameIn, openAtFirst, rowsOf, useForest } from "./forest.ts";
import { changesOf, type ItemsChange, type Moved, type MoveTarget } from "./tree-moves.ts";
import { useItems } from "./use-items.ts";
import { DeleteZoneDialog, NewZoneDialog, PlaceDialog, RenameDialog } from "./zone-dialogs.tsx";
import classes from "./zone-tree.module.css";
import { type RowDeed, ZoneTree } from "./zone-tree.tsx";

const route = getRouteApi("/inside/environments/$environmentId/zones");

export function ZonesPage() {
  const { environmentId } = route.useParams();
  const { new: isMaking = false } = route.useSearch();
  const navigate = route.useNavigate();
  const setMaking = (next: boolean) => void navigate({ search: { new: next || undefined }, replace: true });
  const forest = useForest(environmentId);
  const isEmpty = forest.data !== undefined && forest.data.zones.size === 0 && forest.data.devices.size === 0;
  const make = <Button onClick={() => setMaking(true)}>Create zone</Button>;
  return (
    <Page
      title="Zones"
      lead="Zones are rooms, floors or other groups. A zone holds devices and other zones. Both can be in several zones."
      actions={!isEmpty && make}
    >
      <QueryView
        query={forest}
        isEmpty={() => isEmpty}
        empty={
          <Empty
            command={
              <ConsoleCommand command={CONSOLE_COMMANDS.zones(environmentId)}>From a terminal, run:</ConsoleCommand>
            }
            title="No zones yet"
            action={make}
          >
            Group devices that you control together, such as the lamps of a room.
          </Empty>
        }
      >
        {(known) => <ZoneTreeEditor key={environmentId} environmentId={environmentId} forest={known} />}
      </QueryView>
      {isMaking && <NewZoneDialog environmentId={environmentId} onClose={() => setMaking(false)} />}
    </Page>
  );
}

/** Maximum number of rows that a filter shows. */
const FOUND = 200;

function ZoneTreeEditor({ environmentId, forest }: { readonly environmentId: string; readonly forest: Forest }) {
  const [text, setText] = useState("");
  const [shown, setShown] = useState<ReadonlyMap<string, number>>(new Map());
  const [asked, setAsked] = useState<{ readonly row: ForestRow; readonly deed: RowDeed }>();
  const { open, toggle } = useOpen(environmentId, forest);
  const items = useItems(environmentId);
  const wanted = useDeferredValue(text.trim());
  const found = useMemo(() => (wanted === "" ? undefined : foundRows(forest, wanted, FOUND)), [forest, wanted]);
  const whole = useMemo(() => rowsOf(forest, open, shown), [forest, open, shown]);
  const rows = found?.rows ?? whole;

  const write = (changes: readonly ItemsChange[], done: string) => {
    if (changes.length > 0) items.mutate({ changes, done });
  };
  const move = (moved: Moved, target: MoveTarget) => {
    const { zoneId } = target;
    const name = nameIn(forest, moved.id);
    const where = zoneId === undefined ? "no longer there" : `in ${nameIn(forest, zoneId)}`;
    write(changesOf(moved, target), `${name} is now ${where}.`);
  };
  const deed = (row: ForestRow, what: RowDeed) => {
    if (what === "take") return move({ id: row.id, from: row.parent }, { zoneId: undefined });
    if (what !== "up" && what !== "down") return setAsked({ row, deed: what });
    const siblings = forest.zones.get(row.parent ?? "")?.items ?? [];
    const at = siblings.indexOf(row.id);
    move({ id: row.id, from: row.parent }, { zoneId: row.parent, before: siblings[what === "up" ? at - 1 : at + 2] });
  };

  return (
    <>
      <Group gap="sm">
        <TextInput
          size="xs"
          placeholder="Find a zone or device"
          aria-label="Find a zone or device"
          leftSection={<Icon name="search" size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed" role="status">
          {found
            ? `${found.of} found${found.of > rows.length ? `, ${rows.length} shown` : ""}`
            : items.isSuccess && items.variables.done}
        </Text>
      </Group>
      <div>
        <div className={classes.notice}>
          {items.error && <Failure error={items.error} putAway={() => items.reset()} />}
        </div>
        <ZoneTree
          environmentId={environmentId}
          forest={forest}
          rows={rows}
          onToggle={toggle}
          onMore={(key) => setShown(new Map(shown).set(key, (shown.get(key) ?? A_LOT) + A_LOT))}
          onMove={move}
          onDeed={deed}
        />
      </div>
      {asked && (
        <Asked
          {...asked}
          environmentId={environmentId}
          forest={forest}
          onMove={move}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface AskedProps {
  readonly row: ForestRow;
  readonly deed: RowDeed;
  readonly environmentId: string;
  readonly forest: Forest;
  readonly onMove: (moved: Moved, target: MoveTarget) => void;
  readonly onClose: () => void;
}

/** The dialog of an action from the menu. */
function Asked({ row, deed, environmentId, forest, onMove, onClose }: AskedProps) {
  const { id, parent } = row;
  const zone = forest.zones.get(id);
  const alias = zone?.alias;
  switch (deed) {
    case "new":
      return (
        <NewZoneDialog environmentId={environmentId} inside={{ id, name: nameIn(forest, id) }} onClose={onClose} />
      );
    case "rename":
      return <RenameDialog id={id} alias={alias} onClose={onClose} />;
    case "delete":
      return <DeleteZoneDialog id={id} alias={alias} count={zone?.items?.length ?? 0} onClose={onClose} />;
    default: {
      const isMove = deed === "move";
      const from = isMove ? parent : undefined;
      const onChosen = (zoneId: string | undefined) => onMove({ id, from }, { zoneId });
      return <PlaceDialog forest={forest} id={id} isMove={isMove} onChosen={onChosen} onClose={onClose} />;
    }
  }
}

/** Maximum number of expanded rows that are remembered. */
const MOST = 500;

/** The expanded rows of an environment's tree. They are stored per tab, so that they persist while the user visits a device. */
interface OpenRows {
  readonly open: ReadonlySet<string>;
  readonly toggle: (key: string, isOpen?: boolean) => void;
}

function useOpen(environmentId: string, forest: Forest): OpenRows {
  const name = `porchlight-open-zones-${environmentId}`;
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(read(name) ?? openAtFirst(forest)));
  const toggle = (key: string, isOpen = !open.has(key)) => {
    const next = new Set(open);
    if (isOpen) next.add(key);
    else next.delete(key);
    setOpen(next);
    sessionStorage.setItem(name, JSON.stringify([...next].slice(-MOST)));
  };
  return { open, toggle };
}

function read(name: string): readonly string[] | undefined {
  const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? "null");
  return Array.isArray(kept) ? kept.filter((key) => typeof key === "string") : undefined;
}
