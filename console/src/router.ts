import { createRouter, createWebHashHistory, type RouteLocation } from 'vue-router'
import { focusHeading } from './lib/focus'

const AGAIN = 'anamnesis.reloaded'

/** What a screen gets that follows its query: useRoute() would tell it of the next screen too, before it is gone. */
function withQuery({ params, query }: RouteLocation): Record<string, unknown> {
  return { ...params, query }
}

/** Addresses stand in the fragment: ids reach no log of a server. */
export const router = createRouter({
  history: createWebHashHistory('/console/'),
  scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
  routes: [
    { path: '/', name: 'home', component: () => import('./screens/HomeScreen.vue') },
    { path: '/people/:user', name: 'card', component: () => import('./screens/CardScreen.vue'), props: true },
    {
      path: '/people/:user/conversations',
      name: 'conversations',
      component: () => import('./screens/ConversationsScreen.vue'),
      props: true,
    },
    {
      path: '/people/:user/conversations/:conversation',
      name: 'conversation',
      component: () => import('./screens/ConversationScreen.vue'),
      props: withQuery,
    },
    {
      path: '/people/:user/memories',
      name: 'memories',
      component: () => import('./screens/MemoriesScreen.vue'),
      props: true,
    },
    { path: '/people/:user/batch', name: 'batch', component: () => import('./screens/BatchScreen.vue'), props: withQuery },
    {
      path: '/people/:user/memories/:memory',
      name: 'memory',
      component: () => import('./screens/MemoryScreen.vue'),
      props: true,
    },
    { path: '/people/:user/graph', name: 'graph', component: () => import('./screens/GraphScreen.vue'), props: true },
    { path: '/finalizations', name: 'finalizations', component: () => import('./screens/FinalizationsScreen.vue') },
    { path: '/reviews', name: 'reviews', component: () => import('./screens/ReviewsScreen.vue'), props: withQuery },
    { path: '/audit', name: 'audit', component: () => import('./screens/AuditScreen.vue'), props: withQuery },
    { path: '/transfer', name: 'transfer', component: () => import('./screens/TransferScreen.vue') },
    { path: '/settings', name: 'settings', component: () => import('./screens/SettingsScreen.vue') },
    { path: '/:rest(.*)*', redirect: '/' },
  ],
})

async function isThere(): Promise<boolean> {
  return fetch('/console/', { cache: 'no-store' }).then(
    (answer) => answer.ok,
    () => false,
  )
}

// After an update of the gateway the screens of an open page are gone: the page is loaded anew, once. While the gateway is
// away it stays as it is.
router.onError(async (_error, to) => {
  if (sessionStorage.getItem(AGAIN) === to.fullPath || !(await isThere())) return
  sessionStorage.setItem(AGAIN, to.fullPath)
  location.hash = to.fullPath
  location.reload()
})
router.afterEach((to, from, failure) => {
  sessionStorage.removeItem(AGAIN)
  const isFirst = !from.matched.length
  if (!failure && !isFirst && to.path !== from.path) void focusHeading()
})
