/** Ids as people paste them: between commas (also 、 and ，), spaces and line ends; each once, in their order. */
export function idsIn(text: string): string[] {
  return [...new Set(text.split(/[\s,，、;；]+/).filter(Boolean))]
}
