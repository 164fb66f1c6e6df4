import { call } from '../api/client'
import { locale } from './words'

/** A made-up patient's conversation with a triage bot: what a newcomer plays through the gateway. */
const TURNS: Record<'en' | 'zh', readonly (readonly [string, string])[]> = {
  en: [
    ['Hi, I have had a headache for three days.', 'I am sorry to hear that. Where does it hurt, and how strong is it?'],
    ['Both temples, it throbs. I have high blood pressure and take amlodipine 5 mg every morning.', 'Thank you. Do you have any allergies?'],
    ['Yes, I am allergic to penicillin: I got hives all over after an injection.', 'Noted: no penicillin. Have you ever had an operation?'],
    ['My appendix was taken out in 2015. No diabetes or anything like that.', 'Thank you. Please see a neurologist; if it suddenly gets worse, go to the emergency room.'],
  ],
  zh: [
    ['你好，我头痛已经三天了。', '您好，请问是哪个部位痛？痛得厉害吗？'],
    ['两侧太阳穴，一跳一跳地痛。我有高血压，每天早上吃一片氨氯地平，5毫克。', '好的。您对什么药物或食物过敏吗？'],
    ['我对青霉素过敏，打针以后全身起过荨麻疹。', '已经记下：不能用青霉素。以前做过手术吗？'],
    ['2015年做过阑尾切除手术。没有糖尿病。', '谢谢。建议挂神经内科；如果头痛突然加重，请立刻去急诊。'],
  ],
}

/** Plays it, ends it, and says whose memory it became. */
export async function play(told: (done: number, all: number) => void): Promise<string> {
  const turns = TURNS[locale.value]
  const user = `sample-${locale.value}-${Date.now().toString(36)}`
  const conversation = `${user}-1`
  for (const [index, [said, answered]] of turns.entries()) {
    told(index, turns.length + 1)
    await call('WriteTurn', {
      conversation_id: conversation,
      user_id: user,
      user_query: said,
      agent_response: answered,
      agent_code: 'triage',
    })
  }
  told(turns.length, turns.length + 1)
  await call('FinalizeSessionMemory', { conversation_id: conversation, wait_ms: 10_000 })
  return user
}
