import { describe, expect, it } from 'vitest'
import { missing, named, speak, t } from './words'

describe('texts', () => {
  it('are filled in, in the language that is chosen', () => {
    expect(t('tokens', { count: 3 })).toBe('3 tokens')
    speak('zh')
    expect(t('tokens', { count: 3 })).toBe('3 token')
    expect(document.documentElement.lang).toBe('zh-CN')
    speak('en')
  })

  it('leave a name that they do not know as it is', () => {
    expect(named('kind', 'allergy')).toBe('allergy')
    expect(named('attribute', 'dose')).toBe('dose')
    for (const name of ['toString', 'constructor', '__proto__', 'title', 'home']) {
      expect(named('attribute', name)).toBe(name)
    }
    for (const name of ['toString', 'constructor', '__proto__']) expect(named('', name)).toBe(name)
    expect(named('role', 'search'), 'a bot may be called so').toBe('search')
    expect(named('kind', undefined)).toBe('')
  })

  it('name what is not complete', () => {
    expect(missing(['embeddings', 'anything'])).toContain('meaning (embeddings), anything')
    for (const part of ['safety', 'safety_limit', 'tail', 'tail_limit']) expect(missing([part])).not.toMatch(new RegExp(`: ${part}$`))
  })
})
