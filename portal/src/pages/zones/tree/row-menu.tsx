/** What can be done with one row of the tree: everything that dragging does, and more, for who has a keyboard or a small screen. */
import { Menu } from "@mantine/core";
import { Icon } from "../../../kit/display/icon.tsx";
import { IN_MAIN } from "../../../kit/display/landmark.ts";
import { NameText } from "../../../kit/text/name.tsx";
import type { Forest, ForestRow } from "./forest.ts";
import { nameIn } from "./forest.ts";
import classes from "./zone-tree.module.css";

export type RowDeed = "move" | "also" | "take" | "up" | "down" | "new" | "rename" | "delete";

export interface RowMenuProps {
  readonly row: ForestRow;
  readonly forest: Forest;
  readonly onDeed: (deed: RowDeed) => void;
  readonly onClose: () => void;
}

export function RowMenu({ row, forest, onDeed, onClose }: RowMenuProps) {
  const { parent } = row;
  const items = parent === undefined ? [] : (forest.zones.get(parent)?.items ?? []);
  const at = items.indexOf(row.id);
  return (
    // Not by keys: the one that has opened it would close it.
    <Menu
      opened
      clickOutsideEvents={["mousedown", "touchstart"]}
      position="bottom-end"
      onClose={onClose}
      width={260}
      withInitialFocusPlaceholder={false}
      portalProps={IN_MAIN}
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
