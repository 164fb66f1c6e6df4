import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force'

export interface Placed {
  id: string
  x: number
  y: number
}

const TICKS = 300
const SLICE_MS = 8
const APART = 36
const LONG = 90

/**
 * Places nodes so that what hangs together lies together: the same graph, the same picture. Works in slices, so that the
 * page answers meanwhile; `stopped` gives it up.
 */
export async function place(
  ids: readonly string[],
  pairs: readonly (readonly [string, string])[],
  stopped: () => boolean,
): Promise<Map<string, Placed>> {
  const nodes = ids.map((id) => ({ id, x: undefined as number | undefined, y: undefined as number | undefined }))
  const links = pairs.map(([source, target]) => ({ source, target }))
  const simulation = forceSimulation(nodes)
    .force('link', forceLink<(typeof nodes)[number], (typeof links)[number]>(links).id((node) => node.id).distance(LONG))
    .force('apart', forceManyBody().strength(-240))
    .force('collide', forceCollide(APART))
    .force('x', forceX(0).strength(0.06))
    .force('y', forceY(0).strength(0.09))
    .force('center', forceCenter(0, 0))
    .stop()
  let begun = performance.now()
  for (let tick = 0; tick < TICKS && !stopped(); tick++) {
    simulation.tick()
    if (performance.now() - begun > SLICE_MS) {
      await new Promise((next) => setTimeout(next))
      begun = performance.now()
    }
  }
  return new Map(nodes.map(({ id, x, y }) => [id, { id, x: x ?? 0, y: y ?? 0 }]))
}
