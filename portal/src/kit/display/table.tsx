/** A table of many rows: filtered by text, sorted, selected, a hundred at a time; as cards where the screen is narrow. */
import { Button, Checkbox, Group, Text, TextInput } from "@mantine/core";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { Icon } from "./icon.tsx";
import look from "./rows.module.css";
import classes from "./table.module.css";
import { type Selection, type Sortable, type Sorting, sorted } from "./table-rows.ts";

export interface Column<R> extends Sortable<R> {
  readonly cell: (row: R) => ReactNode;
  /** Numbers stand at the right, so that they align. */
  readonly isNumber?: boolean;
  /** Long texts, which would break to pieces where the screen is narrow. */
  readonly isWide?: boolean;
}

export interface DataTableProps<R> {
  /** What the table is of, for who cannot see it. */
  readonly label: string;
  readonly rows: readonly R[];
  readonly columns: readonly Column<R>[];
  readonly idOf: (row: R) => string;
  /** What a row is found by; without it there is no filter. */
  readonly textOf?: (row: R) => string;
  /** The filter's text where it is kept elsewhere, such as in the address. */
  readonly text?: { readonly value: string; readonly onChange: (text: string) => void };
  /** Further filters, beside the text's. */
  readonly filters?: ReactNode;
  /** Columns with a `sortBy` can be sorted by. */
  readonly sorting?: Sorting | undefined;
  /** Rows can be selected. */
  readonly selection?: Selection | undefined;
  /** What a row is called, for its checkbox. */
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
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

/** All that are found, shown or not. */
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
