/** A table of many rows: filtered by text, a hundred at a time, and scrolled sideways by itself where the screen is narrow. */
import { Button, Group, Table, Text, TextInput } from "@mantine/core";
import { type ReactNode, useDeferredValue, useState } from "react";
import { Icon } from "./icon.tsx";
import classes from "./table.module.css";

export interface Column<R> {
  readonly name: string;
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
  /** Further filters, beside the text's. */
  readonly filters?: ReactNode;
}

const ROWS = 100;

export function DataTable<R>({ label, rows, columns, idOf, textOf, filters }: DataTableProps<R>) {
  const [text, setText] = useState("");
  const [shown, setShown] = useState(ROWS);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const found = wanted === "" || !textOf ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(wanted));
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
        <Table>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ name, isNumber }) => (
                <Table.Th key={name} data-number={isNumber}>
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.slice(0, shown).map((row) => (
              <Table.Tr key={idOf(row)}>
                {columns.map(({ name, cell, isNumber, isWide }) => (
                  <Table.Td key={name} data-number={isNumber} data-wide={isWide}>
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
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
