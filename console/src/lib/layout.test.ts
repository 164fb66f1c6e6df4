import { describe, expect, it } from 'vitest'
import { place } from './layout'

const IDS = Array.from({ length: 40 }, (_, at) => `n${at}`)
const PAIRS = IDS.slice(1).map((id) => ['n0', id] as const)

describe('the places of a graph', () => {
  it('are the same for the same graph', async () => {
    const [first, second] = [await place(IDS, PAIRS, () => false), await place(IDS, PAIRS, () => false)]
    expect([...first.values()]).toEqual([...second.values()])
  })

  it('lie apart', async () => {
    const all = [...(await place(IDS, PAIRS, () => false)).values()]
    const near = all.flatMap((a, at) => all.slice(at + 1).filter((b) => Math.hypot(a.x - b.x, a.y - b.y) < 30))
    expect(near).toEqual([])
  })

  it('are given up when nobody wants them', async () => {
    let asked = 0
    await place(IDS, PAIRS, () => ++asked > 3)
    expect(asked).toBe(4)
  })
})
