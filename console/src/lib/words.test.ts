import { describe, expect, it } from 'vitest'
import { gist } from './memories'
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
    expect(named('kind', undefined)).toBe('')
  })

  it('name what is not complete', () => {
    expect(missing(['embeddings', 'anything'])).toContain('meaning (embeddings), anything')
  })
})

describe('what a memory says in short', () => {
  it('is its object and what else is said of it', () => {
    const memory = { object: 'amlodipine', text: 'I take it', attributes: { dose: '5 mg', frequency: 'daily', taken_back: 'true' } }
    expect(gist(memory as never)).toBe('amlodipine · 5 mg · daily')
    expect(gist({ text: 'we talked' } as never)).toBe('we talked')
  })
})
