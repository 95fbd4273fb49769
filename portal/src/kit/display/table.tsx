/** A table for many rows: text filter, sorting, selection, pages of a hundred; cards on a narrow screen. */
import { Button, Checkbox, Group, Text, TextInput } from "@mantine/core";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { Icon } from "./icon.tsx";
import look from "./rows.module.css";
import classes from "./table.module.css";
import { type Selection, type Sortable, type Sorting, sorted } from "./table-rows.ts";

export interface Column<R> extends Sortable<R> {
  readonly cell: (row: R) => ReactNode;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
  /** Long texts, which a narrow screen would break into fragments. */
  readonly isWide?: boolean;
}

interface DataTableProps<R> {
  /** The table's accessible name. */
  readonly label: string;
  readonly rows: readonly R[];
  readonly columns: readonly Column<R>[];
  readonly idOf: (row: R) => string;
  /** The text that the filter searches; without it there is no filter. */
  readonly textOf?: (row: R) => string;
  /** The filter's state when the caller keeps it, for example in the address. */
  readonly text?: { readonly value: string; readonly onChange: (text: string) => void };
  /** Further filters, beside the text filter. */
  readonly filters?: ReactNode;
  /** The sort state; the user can sort by columns with a `sortBy`. */
  readonly sorting?: Sorting | undefined;
  /** The selected rows; without it rows cannot be selected. */
  readonly selection?: Selection | undefined;
  /** The row's name, for the label of its checkbox. */
  readonly nameOf?: (row: R) => string;
}

const ROWS = 100;

export function DataTable<R>(props: DataTableProps<R>) {
  const { label, rows, columns, idOf, textOf, filters, sorting, selection } = props;
  const [ownText, setOwnText] = useState("");
  const { value: text, onChange: setText } = props.text ?? { value: ownText, onChange: setOwnText };
  const [shown, setShown] = useState(ROWS);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const found = wanted === "" || !textOf ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(wanted));
  const ordered = useMemo(() => sorted(found, columns, sorting), [found, columns, sorting]);
  return (
    <div className={classes.whole}>
      {(textOf || filters) && (
        <Group gap="sm">
          {textOf && (
            <TextInput
              size="xs"
              placeholder="Filter"
              aria-label={`Filter ${label}`}
              leftSection={<Icon name="search" size={14} />}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          {filters}
          {found.length !== rows.length && (
            <Text size="sm" c="dimmed" role="status">
              {found.length} of {rows.length}
            </Text>
          )}
        </Group>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={label}>
        <table className={look.rows}>
          <thead>
            <tr>
              {selection && (
                <th className={classes.mark}>
                  <SelectAll selection={selection} ids={ordered.map(idOf)} />
                </th>
              )}
              {columns.map((column) => (
                <Heading key={column.name} column={column} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            {ordered.slice(0, shown).map((row) => (
              <tr key={idOf(row)} data-selected={selection?.ids.has(idOf(row)) || undefined}>
                {selection && (
                  <td className={classes.mark}>
                    <Checkbox
                      aria-label={`Select ${props.nameOf?.(row) ?? idOf(row)}`}
                      checked={selection.ids.has(idOf(row))}
                      onChange={() => selection.onToggle([idOf(row)])}
                    />
                  </td>
                )}
                {columns.map(({ name, cell, isNumber, isWide }) => (
                  <td key={name} data-number={isNumber} data-wide={isWide} data-name={name}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {found.length > shown && (
        <Group>
          <Button variant="default" size="xs" onClick={() => setShown(shown + ROWS)}>
            Show {Math.min(ROWS, found.length - shown)} more of {found.length}
          </Button>
        </Group>
      )}
    </div>
  );
}

function Heading<R>({ column, sorting }: { readonly column: Column<R>; readonly sorting: Sorting | undefined }) {
  const { name, isNumber, sortBy } = column;
  const direction = sorting?.by === name ? (sorting.isDescending ? "descending" : "ascending") : undefined;
  if (!sorting || !sortBy) return <th data-number={isNumber}>{name}</th>;
  return (
    <th data-number={isNumber} aria-sort={direction ?? "none"}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => sorting.onSort({ by: name, isDescending: direction === "ascending" })}
      >
        {name}
        <span className={classes.direction} data-shown={direction !== undefined}>
          <Icon name={direction === "descending" ? "down" : "up"} size={14} />
        </span>
      </button>
    </th>
  );
}

/** Selects all rows that match the filter, including rows not shown. */
function SelectAll({ selection, ids }: { readonly selection: Selection; readonly ids: readonly string[] }) {
  const count = ids.filter((id) => selection.ids.has(id)).length;
  const isAll = count === ids.length && count > 0;
  return (
    <Checkbox
      aria-label={isAll ? "Select none" : "Select all"}
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      onChange={() => selection.onToggle(isAll ? ids : ids.filter((id) => !selection.ids.has(id)))}
    />
  );
}
