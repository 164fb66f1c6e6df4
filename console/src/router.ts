import { createRouter, createWebHashHistory } from 'vue-router'

const AGAIN = 'anamnesis.reloaded'

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
      props: true,
    },
    {
      path: '/people/:user/memories',
      name: 'memories',
      component: () => import('./screens/MemoriesScreen.vue'),
      props: true,
    },
    {
      path: '/people/:user/memories/:memory',
      name: 'memory',
      component: () => import('./screens/MemoryScreen.vue'),
      props: true,
    },
    { path: '/people/:user/graph', name: 'graph', component: () => import('./screens/GraphScreen.vue'), props: true },
    { path: '/finalizations', name: 'finalizations', component: () => import('./screens/FinalizationsScreen.vue') },
    { path: '/reviews', name: 'reviews', component: () => import('./screens/ReviewsScreen.vue') },
    { path: '/:rest(.*)*', redirect: '/' },
  ],
})

// After an update of the gateway the screens of an open page are gone: the page is loaded anew, once.
router.onError((_error, to) => {
  if (sessionStorage.getItem(AGAIN) === to.fullPath) return
  sessionStorage.setItem(AGAIN, to.fullPath)
  location.hash = to.fullPath
  location.reload()
})
router.afterEach(() => sessionStorage.removeItem(AGAIN))
