/* Threads of a call (crew.c): the border tells where calls begin and end. */
#ifndef PVGI_CREW_H
#define PVGI_CREW_H

void pvgi_crew_enter(void);
void pvgi_crew_leave(void); /* ends the threads that the call has started */

#endif
