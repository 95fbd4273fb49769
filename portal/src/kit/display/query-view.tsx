/** Renders a query in each of its states: loading, failed, empty, current, and stale after a failed refresh. */
import { Group, Skeleton, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";

/** The parts of a query result that the view needs, so that several queries can be combined and shown as one. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

interface QueryViewProps<T> {
  readonly query: Asked<T>;
  /** Returns true when the data is empty; the view then shows `empty` instead of the children. */
  readonly isEmpty?: (data: T) => boolean;
  readonly empty?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** Shows the last known data whenever there is any, with a failed refresh reported above it. */
export function QueryView<T>({ query, isEmpty, empty, children }: QueryViewProps<T>) {
  const { data, error, isPending } = query;
  const retry = () => void query.refetch();
  if (isPending) return <Loading />;
  if (data === undefined) return <Failure error={error} retry={retry} />;
  return (
    <>
      {error && <Failure error={error} retry={retry} />}
      {isEmpty?.(data) ? empty : children(data)}
    </>
  );
}

export function Loading() {
  return (
    <Stack gap="xs" aria-busy="true" aria-label="Loading" role="status">
      <Skeleton height={18} width="40%" />
      <Skeleton height={18} />
      <Skeleton height={18} width="80%" />
    </Stack>
  );
}

interface EmptyProps {
  /** The missing objects: "No webhooks yet". */
  readonly title: string;
  /** The purpose of these objects, in one sentence. */
  readonly children: ReactNode;
  /** The next action. */
  readonly action?: ReactNode;
  /** The CLI command that performs the action, for developers; shown below the action. */
  readonly command?: ReactNode;
}

export function Empty({ title, children, action, command }: EmptyProps) {
  return (
    <Stack gap="xs" py="lg" align="flex-start">
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" maw="38rem" w="100%" component="div">
        {children}
      </Text>
      {action && <Group>{action}</Group>}
      {command && (
        <Text c="dimmed" maw="38rem" w="100%" component="div">
          {command}
        </Text>
      )}
    </Stack>
  );
}
