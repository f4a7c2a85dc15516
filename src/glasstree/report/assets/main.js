startTree();
startTrying();
startReplay();
