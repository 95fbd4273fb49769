/** The tree: rows, keyboard navigation, dragging, and the row menu. It passes the actions on to its parent. */
import { Menu } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { Icon } from "../../kit/display/icon.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { type Forest, type ForestRow, nameIn } from "./forest.ts";
import { type Moved, type MoveTarget, stepOf, targetOf } from "./tree-moves.ts";
import { TreeRow } from "./tree-row.tsx";
import { useDrag } from "./use-drag.ts";
import classes from "./zone-tree.module.css";

interface ZoneTreeProps {
  readonly environmentId: string;
  readonly forest: Forest;
  readonly rows: readonly ForestRow[];
  readonly onToggle: (key: string, isOpen?: boolean) => void;
  readonly onMore: (key: string) => void;
  readonly onMove: (moved: Moved, target: MoveTarget) => void;
  readonly onDeed: (row: ForestRow, deed: RowDeed) => void;
}

export function ZoneTree(props: ZoneTreeProps) {
  const { environmentId, forest, rows, onToggle, onMore, onMove, onDeed } = props;
  const router = useRouter();
  const tree = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState<string>();
  const [menuAt, setMenuAt] = useState<string>();
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const at = active !== undefined && byKey.has(active) ? active : rows[0]?.key;

  // The "more" row disappears when all items are shown; the row in its place then gets the focus.
  const [cameAt, setCameAt] = useState<number>();
  const focusCame = useEffectEvent(() => {
    const came = rows[cameAt ?? -1];
    if (came) focusRow(came.key);
    setCameAt(undefined);
  });
  useEffect(() => {
    if (cameAt !== undefined) focusCame();
  }, [cameAt]);
  const more = (row: ForestRow) => {
    onMore(row.id);
    setCameAt(rows.indexOf(row));
  };
  const focusRow = (key: string) => {
    setActive(key);
    tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  };
  const { drag, follower, begin } = useDrag({
    rowOf: (key) => byKey.get(key),
    onDrop: ({ row, over, isCopy }) => {
      const moved = { id: row.id, from: isCopy ? undefined : row.parent };
      const items = forest.zones.get(over?.row.parent ?? "")?.items ?? [];
      const target = over && targetOf(over.row, over.edge, moved, items);
      if (target) onMove(moved, target);
    },
    onLinger: ({ key, isOpen, count }) => {
      if (!isOpen && count > 0) onToggle(key, true);
    },
  });

  const go = (href: string) => void router.navigate({ to: href });
  const onClick = (event: MouseEvent) => {
    const { row, act } = pointed(event, byKey);
    if (!row) return;
    setActive(row.key);
    if (act === "toggle") onToggle(row.key);
    if (act === "more") more(row);
    if (act === "menu") setMenuAt(row.key);
    if (act !== "go" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(hrefOf(environmentId, row) ?? "");
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const { row, act } = pointed(event, byKey);
    if (row && act === "grip") begin(event, row);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = byKey.get((event.target as HTMLElement).dataset.key ?? "");
    // A link or button within a row handles its own keys.
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const href = hrefOf(environmentId, row);
    const isMenu = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey) || event.key === "m";
    if (event.key === "Enter" && href) go(href);
    else if (event.key === "Enter" && row.kind === "more") more(row);
    else if ((isMenu || event.key === " ") && href) setMenuAt(row.key);
    else {
      const step = stepOf(rows, row.key, event.key);
      if (!step) return;
      if (step.focus !== undefined) focusRow(step.focus);
      if (step.toggle !== undefined) onToggle(step.toggle);
    }
    event.preventDefault();
  };

  return (
    <>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML has no element for a tree with columns but a table
        role="treegrid"
        aria-label="Zones and their contents"
        className={classes.tree}
        ref={tree}
        onClick={onClick}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
      >
        <tbody className={classes.body}>
          {rows.map((row) => (
            <TreeRow
              key={row.key}
              row={row}
              name={labelOf(row, forest)}
              href={hrefOf(environmentId, row)}
              connection={row.kind === "device" ? forest.devices.get(row.id)?.connection : undefined}
              also={otherZones(row, forest)}
              isActive={row.key === at}
              isDragged={drag?.row.key === row.key}
              drop={drag?.over?.row.key === row.key ? drag.over.edge : undefined}
              menu={
                menuAt === row.key ? (
                  <RowMenu
                    row={row}
                    forest={forest}
                    onDeed={(deed) => onDeed(row, deed)}
                    onClose={() => {
                      setMenuAt(undefined);
                      focusRow(row.key);
                    }}
                  />
                ) : undefined
              }
            />
          ))}
        </tbody>
      </table>
      <div className={classes.follower} ref={follower} hidden={!drag}>
        {drag && (
          <>
            {drag.isCopy ? "Also put" : "Move"} <NameText text={nameIn(forest, drag.row.id)} />
            {drag.over && <Destination over={drag.over} forest={forest} />}
          </>
        )}
      </div>
    </>
  );
}

function Destination({
  over: { row, edge },
  forest,
}: {
  readonly over: { row: ForestRow; edge: string };
  readonly forest: Forest;
}) {
  if (row.kind === "free") return " out of its zone";
  const inside = edge === "into" ? (row.kind === "zone" ? row.id : undefined) : row.parent;
  if (inside === undefined) return null;
  return (
    <>
      {" "}
      into <NameText text={nameIn(forest, inside)} />
    </>
  );
}

function pointed({ target }: { readonly target: EventTarget }, rows: ReadonlyMap<string, ForestRow>) {
  const element = target as HTMLElement;
  const row = rows.get(element.closest<HTMLElement>("[data-key]")?.dataset.key ?? "");
  return { row, act: element.closest<HTMLElement>("[data-act]")?.dataset.act };
}

function hrefOf(environmentId: string, { id, kind }: ForestRow): string | undefined {
  if (kind === "zone") return `/environments/${environmentId}/zones/${id}`;
  return kind === "device" ? `/environments/${environmentId}/devices/${id}` : undefined;
}

function labelOf({ id, kind, count }: ForestRow, forest: Forest): string {
  if (kind === "free") return "In no zone";
  return kind === "more" ? `Show more of ${count.toLocaleString("en")}` : nameIn(forest, id);
}

function otherZones({ id, parent, kind }: ForestRow, forest: Forest): string {
  if (kind === "free" || kind === "more") return "";
  const others = (forest.parents.get(id) ?? []).filter((zone) => zone !== parent);
  return others.map((zone) => nameIn(forest, zone)).join(", ");
}

/** The menu of a row: all actions of dragging and more, for keyboards and small screens. */
export type RowDeed = "move" | "also" | "take" | "up" | "down" | "new" | "rename" | "delete";

interface RowMenuProps {
  readonly row: ForestRow;
  readonly forest: Forest;
  readonly onDeed: (deed: RowDeed) => void;
  readonly onClose: () => void;
}

function RowMenu({ row, forest, onDeed, onClose }: RowMenuProps) {
  const { parent } = row;
  const items = parent === undefined ? [] : (forest.zones.get(parent)?.items ?? []);
  const at = items.indexOf(row.id);
  return (
    // Mouse and touch only: the key press that opens the menu would otherwise close it.
    <Menu
      opened
      clickOutsideEvents={["mousedown", "touchstart"]}
      position="bottom-end"
      onClose={onClose}
      width={260}
      withInitialFocusPlaceholder={false}
      portalProps={{ target: "#main" }}
    >
      <Menu.Target>
        <button type="button" className={classes.menu} aria-label={`Actions for ${nameIn(forest, row.id)}`}>
          <Icon name="more" size={20} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onDeed("move")}>Move to…</Menu.Item>
        <Menu.Item onClick={() => onDeed("also")}>Add to another zone…</Menu.Item>
        {parent !== undefined && (
          <Menu.Item onClick={() => onDeed("take")}>
            Remove from <NameText text={nameIn(forest, parent)} />
          </Menu.Item>
        )}
        {at > 0 && <Menu.Item onClick={() => onDeed("up")}>Move up</Menu.Item>}
        {at >= 0 && at < items.length - 1 && <Menu.Item onClick={() => onDeed("down")}>Move down</Menu.Item>}
        {row.kind === "zone" && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => onDeed("new")}>Create zone inside…</Menu.Item>
            <Menu.Item onClick={() => onDeed("rename")}>Rename…</Menu.Item>
            <Menu.Item onClick={() => onDeed("delete")}>Delete…</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
