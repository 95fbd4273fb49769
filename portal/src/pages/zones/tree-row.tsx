/** One row of the tree. It has no event listeners: with a thousand rows, the tree listens for all of them. */
import type { Device } from "@porchlight/shared/api";
import { memo, type ReactNode } from "react";
import { Icon } from "../../kit/display/icon.tsx";
import { OnlineState } from "../../kit/display/state.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { cut } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import type { ForestRow } from "./forest.ts";
import type { Edge } from "./tree-moves.ts";
import classes from "./zone-tree.module.css";

interface TreeRowProps {
  readonly row: ForestRow;
  readonly name: string;
  readonly href: string | undefined;
  /** The connection of a device. */
  readonly connection: Device["connection"];
  /** Names of the other zones that contain the item. */
  readonly also: string;
  readonly isActive: boolean;
  readonly isDragged: boolean;
  readonly drop: Edge | undefined;
  /** Replaces the menu button while the menu is open. */
  readonly menu: ReactNode;
}

const ICONS = { zone: "zone", device: "device", free: "device", more: "down" } as const;

export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { row, name, href, connection, also, isActive, isDragged, drop, menu } = props;
  const { key, kind, level, count, isOpen } = row;
  const opens = kind === "zone" || kind === "free";
  return (
    <tr
      className={classes.row}
      data-key={key}
      data-dragged={isDragged}
      data-drop={drop}
      tabIndex={isActive ? 0 : -1}
      aria-level={level}
      aria-expanded={opens && count > 0 ? isOpen : undefined}
      // A custom property avoids one class per level.
      style={{ ["--level" as string]: level }}
    >
      <td>
        <span className={classes.grip} data-act="grip" data-none={kind === "free" || kind === "more"} title="Drag">
          <Icon name="grip" size={16} />
        </span>
      </td>
      <td>
        <button
          type="button"
          className={classes.open}
          data-act="toggle"
          data-none={!opens || count === 0}
          tabIndex={-1}
          aria-label={isOpen ? `Close ${name}` : `Open ${name}`}
          aria-expanded={isOpen}
        >
          <Icon name="right" size={14} />
        </button>
      </td>
      <th scope="row" className={classes.what}>
        <Icon name={ICONS[kind]} size={16} />
        {href ? (
          <a href={href} className={classes.name} data-act="go" tabIndex={isActive ? 0 : -1} title={name}>
            <NameText text={name} />
          </a>
        ) : kind === "more" ? (
          <button type="button" className={classes.name} data-act="more" tabIndex={isActive ? 0 : -1}>
            {name}
          </button>
        ) : (
          <span className={classes.name}>{name}</span>
        )}
        {also !== "" && (
          <span className={`${classes.quiet} ${classes.also}`} title={`Also in ${also}`}>
            also in <bdi>{cut(also, 24)}</bdi>
          </span>
        )}
      </th>
      <td className={classes.state}>
        {kind === "device" && connection && <OnlineState connection={connection} />}
        {opens && <span className={classes.quiet}>{count === 0 ? "empty" : counted(count, "item")}</span>}
      </td>
      <td>
        {menu ??
          (kind === "zone" || kind === "device" ? (
            <button
              type="button"
              className={classes.menu}
              data-act="menu"
              tabIndex={isActive ? 0 : -1}
              aria-label={`Actions for ${name}`}
              aria-haspopup="menu"
            >
              <Icon name="more" size={20} />
            </button>
          ) : (
            <span className={classes.menu} />
          ))}
      </td>
    </tr>
  );
});
