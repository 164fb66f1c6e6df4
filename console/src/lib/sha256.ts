const K = primes(64).map((prime) => fraction(Math.cbrt(prime)))
const BEGIN = primes(8).map((prime) => fraction(Math.sqrt(prime)))
const BLOCK = 64

function primes(count: number): number[] {
  const found: number[] = []
  for (let number = 2; found.length < count; number++) if (found.every((prime) => number % prime)) found.push(number)
  return found
}

/** The first 32 bits behind the point. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** SHA-256 (FIPS 180-4) of bytes that come bit by bit. The browser's own takes them at once alone, and over TLS alone. */
export class Sha256 {
  private readonly state = Int32Array.from(BEGIN)
  private readonly words = new Int32Array(BLOCK)
  private readonly rest = new Uint8Array(BLOCK)
  private length = 0

  update(bytes: Uint8Array): this {
    let at = 0
    while (at < bytes.length) {
      const filled = this.length % BLOCK
      const part = bytes.subarray(at, at + BLOCK - filled)
      this.rest.set(part, filled)
      this.length += part.length
      at += part.length
      if (this.length % BLOCK === 0) this.take()
    }
    return this
  }

  /** The digest in hexadecimal digits; nothing can be added behind it. */
  hex(): string {
    const bits = this.length * 8
    const filled = this.length % BLOCK
    const end = new Uint8Array((filled < BLOCK - 8 ? BLOCK : 2 * BLOCK) - filled)
    end[0] = 0x80
    new DataView(end.buffer).setBigUint64(end.length - 8, BigInt(bits))
    this.update(end)
    return Array.from(this.state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }

  private take(): void {
    const { words, state } = this
    const view = new DataView(this.rest.buffer)
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(i * 4)
    for (let i = 16; i < BLOCK; i++) {
      const a = words[i - 15]!
      const b = words[i - 2]!
      const before = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)
      const behind = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10)
      words[i] = words[i - 16]! + before + words[i - 7]! + behind
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < BLOCK; i++) {
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + words[i]!) | 0
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + word
  }
}
