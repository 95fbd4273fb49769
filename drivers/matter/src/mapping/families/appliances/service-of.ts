/** How the services of appliances are called: as their clusters. */
export function serviceOf(cluster: string): string {
  return `${cluster.charAt(0).toUpperCase()}${cluster.slice(1)}`;
}
